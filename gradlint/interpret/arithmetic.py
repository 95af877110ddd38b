"""Arithmetic: exact on numbers, symbolic on what is unknown, and with factors on losses."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from gradlint.interpret.atoms import atom, settled
from gradlint.interpret.conditions import Compare, IsNone, Modulo, Not, began, has_counted
from gradlint.interpret.machine import Machine
from gradlint.interpret.means import averaged, summed_along
from gradlint.interpret.plan import MAX_WINDOW, Plan
from gradlint.interpret.state.course import Course
from gradlint.interpret.state.scenario import Scenario
from gradlint.interpret.state.sizes import Sizes
from gradlint.interpret.traits import exact, is_number, is_setting, key_of, may_be_none, plain, varies
from gradlint.interpret.values import (
    GRADIENT,
    LOSS_SCALE,
    MISSING,
    Imported,
    Missing,
    Parameters,
    Series,
    Tracked,
    Unknown,
    Value,
    comparison,
    merge,
    shortened,
)
from gradlint.interpret.windows import batches_counted
from gradlint.libraries.conventions.numbers import LOSS_NAME, PROCESSES_NAME
from gradlint.libraries.conventions.switches import LOSS_SCALE_NAME
from gradlint.model.factor import ONE, UNKNOWN_FACTOR, Factor, Part
from gradlint.model.program import Arith, Attr, Const, Expr, Item, Read
from gradlint.model.roles import Role

_LARGE = 10**9
_NUMERIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
}
_WHOLE = frozenset(_NUMERIC)
_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
ORDER = frozenset({"<", "<=", ">", ">="})


def binary(machine: Machine, op: str, left: Value, right: Value, literal: bool, leading: bool = False) -> Value:
    """`left op right`; `literal` that the right side is a bare number in the source, `leading` that the left one is."""
    if left.__class__ is int and right.__class__ is int and op in _WHOLE and (right or op in "+-*"):
        return _whole(machine, op, left, right)
    sides = (left.__class__, right.__class__)
    if sides not in _WITH_SYMBOLS:
        left, right = machine.setting(left), machine.setting(right)
        found = _computed(machine, op, left, right)
        if found is not MISSING:
            return found
    elif op == "%" and right == 1:
        return 0
    key = shortened(f"({key_of(left)} {op} {key_of(right)})")
    if key in machine.plan.numbers.bindings:
        return machine.plan.numbers.bindings[key]
    if op == "%" and not varies(right) and (times := batches_counted(machine.plan, left)) is not None:
        return _whole(machine, op, times, machine.plan.window)
    if op == "//" and right == machine.plan.window and _counts_samples(left):
        machine.plan.marks.chunked = True
    if op == "/" and isinstance(left, Unknown) and machine.graphs.own_size(left, right):
        return averaged(key, left)
    if op == "*" and not machine.course.in_pieces:
        mean = summed_along(left, right) or summed_along(right, left)
        if mean is not None:
            return mean.under(key)
    value = _symbolic(key, op, left, right, literal, leading)
    if value is not left and value is not right and isinstance(value, Unknown) and machine.contexts.gradients_off:
        value.graph = value.graph.smoothly(frozenset())
    return value


def bare(node: Expr) -> bool:
    """Whether the source has a number itself: `4`, `1 / 4`."""
    return isinstance(node, Const) or (isinstance(node, Arith) and bare(node.left) and bare(node.right))


def like_a_loss(node: Expr) -> bool:
    """Whether something is called like a loss: `out.loss`, `losses["box"]`."""
    if isinstance(node, (Read, Attr)):
        return LOSS_NAME.search(node.name)
    if not isinstance(node, Item):
        return False
    index = node.index.value if isinstance(node.index, Const) else None
    return like_a_loss(node.base) or (isinstance(index, str) and LOSS_NAME.search(index))


def named_divisor(value: Unknown, left: Unknown, node: Expr) -> Unknown:
    """Remember in the factors of a loss and of its terms what the divisor is called; 1 divides nothing."""
    name = node.name if isinstance(node, (Read, Attr)) else ""
    if name:
        for loss, before in ((value, left), *zip(value.terms, left.terms, strict=False)):
            if len(loss.factor.parts) > len(before.factor.parts) and loss.factor.parts[-1].number != 1:
                loss.factor = loss.factor.called(name)
    return value


def _foreign(left: Value, right: Value) -> Value:
    """The side that belongs to a library that is not torch: so does what is made of it."""
    return next((side for side in (left, right) if isinstance(side, Tracked) and side.role is Role.FOREIGN), None)


def _counts_samples(value: Value) -> bool:
    """Whether a number is how many samples the batch of this iteration has."""
    return isinstance(value, Unknown) and value.data.measures is not None and value.data.measures.varying


_SYMBOLS = frozenset({int, float, Fraction, Unknown})
_WITH_SYMBOLS = frozenset(sides for kind in _SYMBOLS for sides in ((Unknown, kind), (kind, Unknown)))


def _computed(machine: Machine, op: str, left: Value, right: Value) -> Value | Missing:
    """The result where both sides are known, or one says more than any number."""
    if (other := _foreign(left, right)) is not None:
        return other
    if is_number(left) and is_number(right):
        return _numbers(machine, op, left, right)
    if isinstance(left, str) or isinstance(right, str):
        return _texts(machine, op, left, right)
    if isinstance(left, Series) and isinstance(right, Series) and op == "+":
        return Series(left.items + right.items, left.kind)
    if op == "+" and (isinstance(left, Parameters) or isinstance(right, Parameters)):
        return _joined(left, right)
    if isinstance(left, Series) and isinstance(right, int) and op == "*" and len(left.items) * right < 64:
        return Series(left.items * right, left.kind)
    if op == "%" and right == 1 and isinstance(left, Unknown):
        return 0
    if isinstance(left, bool) and isinstance(right, bool) and op in "&|^":
        return {"&": left and right, "|": left or right, "^": left != right}[op]
    return MISSING


def _joined(left: Value, right: Value) -> Value | Missing:
    """`list(encoder.parameters()) + list(decoder.parameters())`: those of both, beside nothing but parameters."""
    parts = [part for side in (left, right) for part in (side.items if isinstance(side, Series) else [side])]
    known = [part for part in parts if isinstance(part, Parameters) and not part.grads and part.held is None]
    if len(known) < len(parts):
        return MISSING
    some = "+".join(part.some for part in known if part.some)
    return Parameters(frozenset().union(*(part.roots for part in known if part.consume())), once=False, some=some)


_SMOOTH = frozenset("+ - * /".split())
"""What changes with its operands; other operations hide a change until it is large enough."""


def _whole(machine: Machine, op: str, left: int, right: int) -> Value:
    """What `_numbers` says of integers, for which no fractions are needed: nearly all numbers are."""
    if op not in _SMOOTH:
        machine.course.numbers.append((op, left, right))
    if op == "%" and (2 <= right <= MAX_WINDOW or machine.sizes.strides):
        _note_modulus(machine.plan, machine.sizes, left, right)
    result: int = _NUMERIC[op](left, right)
    return result if -_LARGE < result < _LARGE else _numbers(machine, op, left, right)


def _note_modulus(plan: Plan, sizes: Sizes, left: int | Fraction, right: int) -> None:
    """A modulus may be a window; that of the loader's length by it is the tail."""
    if left < 0:
        plan.below_nought()
    size = sizes.in_batches(right) if sizes.strides else right
    if 2 <= size <= MAX_WINDOW:
        sizes.divided.append(size)
    plan.marks.asks = plan.marks.asks or (left == plan.batches and right == plan.window)


def _numbers(machine: Machine, op: str, left: Value, right: Value) -> Value:
    one, two = exact(left), exact(right)
    if one is None or two is None:
        return Unknown(f"({key_of(left)} {op} {key_of(right)})")
    if op not in _SMOOTH:
        machine.course.numbers.append((op, one, two))
    try:
        if op == "/":
            return plain(one / two)
        if op == "**":
            small = two.denominator == 1 and abs(two) <= 16 and abs(one) <= 1024
            return _as_written(Fraction(one**two), left) if small else Unknown(f"({left} ** {right})")
        if op == "%" and two.denominator == 1 and 2 <= two <= MAX_WINDOW:
            _note_modulus(machine.plan, machine.sizes, one, int(two))
        if op in _NUMERIC:
            result = _NUMERIC[op](one, two)
            if op in ("+", "-") and (isinstance(left, float) or isinstance(right, float)) and abs(result) < 1:
                return float(result)  # `1 - alpha` is a decimal fraction, as alpha is
            if op == "*" and abs(result) < _LARGE:
                return _as_written(Fraction(result), left, right)
            return plain(Fraction(result)) if abs(result) < _LARGE else float(result)
        if op in ("&", "|", "^") and isinstance(left, int) and isinstance(right, int):
            return {"&": left & right, "|": left | right, "^": left ^ right}[op]
    except (ZeroDivisionError, OverflowError):
        pass
    return Unknown(f"({key_of(left)} {op} {key_of(right)})")


def _as_written(number: Fraction, *sides: Value) -> Value:
    """A number that decimal fractions alone have made is one: `alpha * temperature**2` of 0.4 and 3.0."""
    return float(number) if all(isinstance(side, float) for side in sides) else plain(number)


def _texts(machine: Machine, op: str, left: Value, right: Value) -> Value:
    if op == "+" and isinstance(left, str) and isinstance(right, str):
        return left + right
    return Unknown(f"({key_of(left)} {op} {key_of(right)})")


def _symbolic(key: str, op: str, left: Value, right: Value, literal: bool, leading: bool) -> Value:
    one = left if isinstance(left, Unknown) else None
    two = right if isinstance(right, Unknown) else None
    if one is not None and right == 1 and op in ("*", "/", "//") and not one.graph.bases:
        return one
    if two is not None and left == 1 and op == "*" and not two.graph.bases:
        return two
    if op == "/" and one is not None and is_number(right):
        return one.multiplied(key, divisor(right, literal))
    if op == "*" and one is not None and is_number(right):
        return one.multiplied(key, multiplier(right, literal))
    if op == "*" and two is not None and is_number(left):
        return two.multiplied(key, multiplier(left, leading))
    if op in ("+", "-") and one is not None and two is not None:
        return _sum(key, one, two)
    if op in ("+", "-") and one is not None and is_number(right):
        return one.under(key)
    if op in ("+", "-") and two is not None and is_number(left):
        return two.under(key)
    return _mixed(key, op, left, right)


def divisor(value: Value, literal: bool = False) -> Factor:
    """The factor of a division."""
    number = exact(value)
    return UNKNOWN_FACTOR if number is None or number == 0 else _divided_by(number, key_of(value), literal)


@lru_cache(maxsize=1024)
def _divided_by(number: Fraction, text: str, literal: bool) -> Factor:
    """The same few numbers divide all the time."""
    return Factor.of(Part(1 / number, text, divides=True, bare=literal))


def multiplier(value: Value, literal: bool = False) -> Factor:
    """The factor of a multiplication; a decimal fraction is a bare number also where it has a name.

    Its sign says whether the objective grows or falls, and nothing of a weight.
    """
    number = exact(value)
    return UNKNOWN_FACTOR if number is None else Factor.of(Part(abs(number), bare=literal or isinstance(value, float)))


def _sum(key: str, one: Unknown, two: Unknown) -> Unknown:
    base = merge(key, [one, two])
    base.terms = (terms_of(one) + terms_of(two))[:12]
    if one.factor.varying and two.factor.varying and _mixes(one.factor, two.factor):
        base.terms = tuple(term.under(term.key) for term in base.terms)
        for term in base.terms:
            term.factor = replace(term.factor, drawn=())
    base.reduced = base.reduced.as_mean(one.reduced.mean and two.reduced.mean)
    base.graph = base.graph.smoothly(one.graph.smooth | two.graph.smooth)
    return base


def _mixes(one: Factor, two: Factor) -> bool:
    """`lam * a + (1 - lam) * b`: whatever the share is, and however it changes, the whole weighs 1."""
    if len(one.drawn) != 1 or len(two.drawn) != 1:
        return False
    pair = one.drawn[0], two.drawn[0]
    return any(rest in (f"(1 - {part})", f"(1.0 - {part})") for part, rest in (pair, pair[::-1]))


def terms_of(loss: Unknown) -> tuple[Unknown, ...]:
    """What a sum is made of, as it is now: a term that is divided in place later on is not divided in the sum."""
    return loss.terms or (loss.under(loss.key) if loss.graph.bases else loss,)


def _mixed(key: str, op: str, left: Value, right: Value) -> Unknown:
    """A product or quotient with something unknown: the loss keeps where it came from."""
    values = [value for value in (left, right) if isinstance(value, Unknown)]
    merged = merge(key, values)
    if op == "%":
        merged.form = Modulo(left, right)
    if op in ("*", "/", "**", "//", "@"):
        carrier = _carrier(values)
        merged.reduced = merged.reduced.as_mean(carrier.reduced.mean)
        merged.graph = merged.graph.of(carrier.graph.bases, smooth_of(values) if op != "//" else merged.graph.smooth)
        if op != "*" and isinstance(right, Unknown) and LOSS_SCALE in right.leaves:
            merged.leaves -= {LOSS_SCALE}  # it is that many times smaller
        if op != "**" and not any(value.graph.known or value.factor is not ONE for value in values):
            return merged
        losses = [value for value in values if value.graph.forwards] or [value for value in values if value.graph.bases]
        others = [value for value in values if value not in losses]
        shared = op == "/" and _counts_processes(right)
        if len(losses) == 1 and others and (op == "*" or shared):
            weighed = losses[0].multiplied(key, ONE if shared else _weigher(others[0]))
            merged.factor, merged.terms = weighed.factor, weighed.terms
        elif op == "**" and len(values) == 1:
            merged.factor = _raised(values[0])
        elif len(losses) == 2 and _within_one_loss(*losses):
            # a loss is born of both: nothing has divided it yet, and a sum over a sum is none
            merged.reduced = merged.reduced.by_sum(merged.reduced.summed and op != "/")
        elif any(value.factor.divided or value.graph.bases for value in values):
            merged.factor = UNKNOWN_FACTOR
    return merged


def _weigher(value: Unknown) -> Factor:
    """What a loss is multiplied by that is no number: a constant of the objective, or something of each batch."""
    own = Factor(drawn=(value.key,)) if value.varying else Factor(open=(value.key,))
    return own if value.factor is ONE else own.times(value.factor)


def _counts_processes(value: Value) -> bool:
    """Whether what divides is how many processes train together: it is the same for each micro-batch, and no window."""
    if not isinstance(value, Unknown) or value.varying or value.form is not None or value.key.startswith("("):
        return False
    words = _WORDS.findall(value.key)
    return bool(words) and PROCESSES_NAME.search(words[-1].removeprefix("get_"))


_WORDS = re.compile(r"\w+")


def _raised(value: Unknown) -> Factor:
    """The factor of a power: that of an error as it is stays, any number in it is raised with it."""
    factors = [term.factor for term in value.terms or (value,)]
    if all(factor.weight == 1 and not factor.parts for factor in factors):
        return Factor(open=factors[0].open, drawn=tuple(name for factor in factors for name in factor.drawn))
    return UNKNOWN_FACTOR


def _within_one_loss(one: Unknown, two: Unknown) -> bool:
    """True for `2 * overlap / (prediction.sum() + eps)`: both come from the same output, whole."""
    return bool(one.graph.bases & two.graph.bases) and not (one.factor.divided or two.factor.divided)


def _carrier(values: list[Unknown]) -> Unknown:
    """Of the sides of a product, the one that came from a model: the others only weigh it."""
    return next((value for value in values if value.graph.forwards), values[0] if values else Unknown(""))


def reduced(factor: Factor) -> Factor:
    """The factor of a loss of samples, once it is their sum or mean: what weighed them weighs no micro-batch."""
    return replace(factor, drawn=()) if factor.drawn else factor


def smooth_of(values: Iterable[Unknown]) -> frozenset[int]:
    """The origins of what is computed from all of these by something that can be differentiated."""
    return frozenset[int]().union(*(value.graph.smooth for value in values if not value.detached))


def clip_factor(value: Value) -> bool:
    """Whether gradients are clipped that are multiplied by this: it comes from their norm, and not from the scale."""
    return isinstance(value, Unknown) and GRADIENT in value.leaves and not LOSS_SCALE_NAME[value.key]


_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_ABOVE = {">": True, ">=": True, "!=": True, "<": False, "<=": False, "==": False}
"""What a number above 0 is to 0."""


def _of_counted(machine: Machine, op: str, left: Value, right: Value) -> bool | None:
    """What is known of a comparison with a counter that batches have added their samples to."""
    times = batches_counted(machine.plan, left)
    if times is not None and op in _COMPARE and not varies(right):
        limit = right if right in (0, 1) else machine.plan.window  # whether any were counted, or enough
        machine.course.numbers.append((op, times, limit))
        return bool(_COMPARE[op](times, limit))
    if is_number(right) and right == 0 and has_counted(left):
        return _ABOVE.get(op)
    if is_number(left) and left == 0 and has_counted(right):
        return _ABOVE.get(_TURNED.get(op, ""))
    return None


def compare(machine: Machine, op: str, left: Value, right: Value, counter: str = "") -> Value:
    """`left op right` as a boolean, or as an unknown that remembers its sides.

    A `counter` that is held against an unknown limit is on one side of it for as long as the dry run looks: all its
    numbers are one condition under its name, and not one for each iteration.
    """
    if op in ("is", "is not") and right is not None and _named(left, right):
        return compare(machine, "==" if op == "is" else "!=", left, right)  # `dtype is torch.float16`
    if op in _EQUAL and (left is None or right is None):  # `optimizer != None`
        op, left, right = _EQUAL[op], right if left is None else left, None
    if op in ("is", "is not"):
        return _identity(op, machine.setting(left) if right is None else left, right)
    if op in ("in", "not in"):
        return _membership(machine.course, op, left, right)
    if op in _COMPARE and _comparable(left, right):
        machine.course.numbers.append((op, left, right))
        if op in ("==", ">=") and isinstance(right, int) and right > 1:
            _note_size(machine.plan, machine.sizes, right)
        return bool(_COMPARE[op](left, right))
    if isinstance(left, Tracked) and left is right and op == "==":
        return True
    if isinstance(left, Imported) and isinstance(right, Imported) and op in ("==", "!=") and _members(left, right):
        return (left.name == right.name) is (op == "==")
    if isinstance(left, Imported) or isinstance(right, Imported):
        one, two = machine.setting(left), machine.setting(right)
        if one is not left or two is not right:
            return compare(machine, op, one, two, counter)
    known = _of_counted(machine, op, left, right)
    if known is not None:
        return known
    key = comparison(_side(left, op, counter), op, _side(right, op, counter))
    values = [value for value in (left, right) if isinstance(value, Unknown)]
    result = merge(key, values)
    result.form = Compare(op, left, right)
    return _decided(machine.scenario, result)


_EQUAL = {"==": "is", "!=": "is not"}
"""What asks the same of what is `None` or is not."""


def _named(left: Value, right: Value) -> bool:
    """Whether something is asked for by a name of another file: a type, a member of an enumeration."""
    sides = (left, right)
    return any(isinstance(one, Imported) for one in sides) and all(
        isinstance(one, (Imported, Unknown)) for one in sides
    )


def _members(one: Imported, two: Imported) -> bool:
    """Whether two imported names are certainly the same or not: one name, or two of one library or enumeration."""
    if one.name == two.name or not (is_setting(one) or is_setting(two)):
        return True
    return one.name.rpartition(".")[0] == two.name.rpartition(".")[0]


def _side(value: Value, op: str, counter: str) -> str:
    """One side of a comparison, as its condition is called."""
    if counter and is_number(value):
        return counter
    return key_of(began(value) if op in ORDER else value)


def _note_size(plan: Plan, sizes: Sizes, size: int) -> None:
    """A counter may be compared with a window; the length of the loader is none."""
    if plan.is_end(size):
        return
    size = sizes.in_batches(size)
    if 2 <= size <= MAX_WINDOW:
        sizes.divided.append(size)


def _decided(scenario: Scenario, value: Unknown) -> Value:
    """The boolean this scenario already knows the condition to be."""
    known = settled(scenario, value)
    if known is None:
        return value
    scenario.recalled.append(atom(value)[0])
    return known


def _comparable(left: Value, right: Value) -> bool:
    if is_number(left) and is_number(right):
        return True
    return isinstance(left, (str, bool)) and isinstance(right, (str, bool)) and type(left) is type(right)


def _identity(op: str, left: Value, right: Value) -> Value:
    positive = op == "is"
    if isinstance(right, bool) and isinstance(left, Unknown):
        return Unknown(left.key, left.varying, form=Not(left) if right is not positive else left.form)
    if right is not None:
        if isinstance(left, (Unknown, Tracked)) or isinstance(right, (Unknown, Tracked)):
            return left is right if positive else left is not right
        return (left == right) is positive
    if left is None:
        return positive
    if isinstance(left, Unknown) and left.graph.forwards:
        return not positive  # what a network has computed is there
    if isinstance(left, Unknown):
        return _none(left, left.varying, positive)
    if isinstance(left, Tracked) and may_be_none(left):
        return _none(left, False, positive)
    return not positive


def _none(value: Unknown | Tracked, varying: bool, positive: bool) -> Unknown:
    """`value is None`, or `value is not None`."""
    missing = Unknown(f"{value.key} is None", varying, form=IsNone(value))
    return missing if positive else Unknown(f"{value.key} is not None", varying, form=Not(missing))


def _membership(course: Course, op: str, left: Value, right: Value) -> Value:
    course.numbers.append(left if isinstance(left, (str, int)) else None)
    simple = isinstance(right, Series) and all(isinstance(item, (str, int, bool)) for item in right.items)
    if simple and isinstance(right, Series) and isinstance(left, (str, int, bool)):
        return (left in right.items) is (op == "in")
    if isinstance(left, str) and isinstance(right, str):
        return (left in right) is (op == "in")
    varying = any(isinstance(value, Unknown) and value.varying for value in (left, right))
    return Unknown(f"{key_of(left)} {op} {key_of(right)}", varying)
