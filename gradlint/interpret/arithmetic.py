"""Arithmetic: exact on numbers, symbolic on what is unknown, and with factors on losses."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from gradlint.interpret.atoms import atom, settled
from gradlint.interpret.conditions import Compare, IsNone, Not, began, has_counted
from gradlint.interpret.machine import Machine
from gradlint.interpret.means import averaged, over_its_own, summed_along
from gradlint.interpret.plan import MAX_WINDOW, Plan
from gradlint.interpret.state.course import Course
from gradlint.interpret.state.scenario import Scenario
from gradlint.interpret.state.sizes import Sizes
from gradlint.interpret.traits import exact, is_loss, is_number, is_own, is_setting, key_of, may_be_none, plain, varies
from gradlint.interpret.values import (
    GRADIENT,
    MISSING,
    Imported,
    Missing,
    Parameters,
    Series,
    SomeKey,
    Table,
    Tracked,
    Unknown,
    Value,
    comparison,
    cut_off,
    merge,
    shortened,
)
from gradlint.interpret.weighing import divided, multiplier, product_of, sum_of
from gradlint.interpret.windows import batches_counted
from gradlint.libraries.conventions.numbers import LOSS_NAME
from gradlint.libraries.conventions.switches import LOSS_SCALE_NAME
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
    if op == "/" and isinstance(left, Unknown) and over_its_own(machine.graphs, left, right):
        return averaged(key, left)
    if op == "*" and not machine.course.in_pieces:
        mean = summed_along(left, right) or summed_along(right, left)
        if mean is not None:
            return mean.under(key)
    value = _symbolic(key, op, left, right, literal, leading)
    if value is not left and value is not right and isinstance(value, Unknown) and machine.contexts.gradients_off:
        value.graph = value.graph.smoothly(frozenset())
    return value


def of_number(name: str, values: Sequence[Value]) -> float | None:
    """`math.log(2)`, `np.sqrt(4.0)`: a function of a number that stands in the source is one."""
    number = exact(values[0]) if len(values) == 1 and name in _FUNCTIONS else None
    return _FUNCTIONS[name](float(number)) if number is not None and 0 < number < _LARGE else None


_FUNCTIONS: dict[str, Callable[[float], float]] = {
    "log": math.log,
    "log2": math.log2,
    "log10": math.log10,
    "sqrt": math.sqrt,
}
"""What `math` and NumPy have for one number."""


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
    """The side that belongs to a library that is not torch: so does what is made of it, save a loss that is weighed."""
    if is_loss(left) or is_loss(right):
        return None
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
            small = one == 1 or (two.denominator == 1 and abs(two) <= 16 and abs(one) <= 1024)
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
        return divided(key, one, right, literal)
    if op == "*" and one is not None and is_number(right):
        return one.multiplied(key, multiplier(right, literal))
    if op == "*" and two is not None and is_number(left):
        return two.multiplied(key, multiplier(left, leading))
    if op in ("+", "-") and one is not None and two is not None:
        return sum_of(key, one, two)
    if op in ("+", "-") and one is not None and is_number(right):
        return one.under(key)
    if op in ("+", "-") and two is not None and is_number(left):
        return two.under(key)
    return product_of(key, op, left, right)


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
    sides = _side(left, op, counter), _side(right, op, counter)
    key = comparison(sides[0], op, sides[1])
    values = [value for value in (left, right) if isinstance(value, Unknown)]
    result = merge(key, values)
    result.form = Compare(op, left, right, sides)
    return _decided(machine.scenario, cut_off(result))


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
            if left is not right and _may_be_one(left, right):
                same = Unknown(f"{key_of(left)} is {key_of(right)}")
                return same if positive else Unknown(f"not {same.key}", form=Not(same))
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


def _may_be_one(left: Value, right: Value) -> bool:
    """Whether one of several is held against a certain one of these: `net is nets[0]` in a loop over `nets`."""
    one, other = sorted((key_of(left), key_of(right)))
    whole = one.removesuffix("[*]")
    return whole != one and other.startswith(f"{whole}[")


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
    if isinstance(left, str) and isinstance(right, Table) and not right.open and left in right.items:
        return op == "in"  # what is not seen in it may have been put there out of sight
    if isinstance(left, Unknown) and isinstance(right, Table) and is_own(right.items.get(SomeKey(left.key))):
        return op == "in"  # `if name not in meters: meters[name] = Meter()`
    varying = any(isinstance(value, Unknown) and value.varying for value in (left, right))
    return Unknown(f"{key_of(left)} {op} {key_of(right)}", varying)
