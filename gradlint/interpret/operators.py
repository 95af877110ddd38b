"""Operators: arithmetic, comparisons, `and`, `or`, `not`, and the choice between two values."""

from __future__ import annotations

from gradlint.interpret.arithmetic import ORDER, bare, binary, compare, named_divisor
from gradlint.interpret.atoms import decide, settled, truth
from gradlint.interpret.calling import known_effect
from gradlint.interpret.conditions import Compare, Typed, joined, negation
from gradlint.interpret.dispatch import HANDLERS, Handlers, evaluate
from gradlint.interpret.frame import Frame
from gradlint.interpret.limits import LASTS, is_before_last
from gradlint.interpret.machine import Machine
from gradlint.interpret.plan import Plan, last_name
from gradlint.interpret.rates import note_share
from gradlint.interpret.state.course import Course
from gradlint.interpret.traits import form_of, is_number, key_of, varies
from gradlint.interpret.typed import is_type, type_name
from gradlint.interpret.values import Context, Imported, Method, Partial, Routine, Tracked, Unknown, Value
from gradlint.interpret.windows import core, learn_window
from gradlint.interpret.witnessing import computed
from gradlint.libraries.conventions.numbers import WINDOW_NAME
from gradlint.libraries.tensors import DTYPES
from gradlint.model.effects import CONTEXTS, Gate
from gradlint.model.program import Arith, Attr, Call, Choose, Const, Expr, Logic, Not, Read, Test


def is_result(value: Value) -> bool:
    """Whether a network has computed it."""
    return isinstance(value, Unknown) and bool(value.graph.forwards)


def _arith(machine: Machine, frame: Frame, node: Arith) -> Value:
    inner = _CUTS.get(node.op)
    if inner is not None and getattr(node, inner).__class__ is Arith and (cut := _cut(node)) is not None:
        _learn_cut(machine, frame, *cut)
    left = HANDLERS[node.left.__class__](machine, frame, node.left)
    right = HANDLERS[node.right.__class__](machine, frame, node.right)
    weighs = left.__class__ is Unknown or right.__class__ is Unknown
    if weighs and node.op in "*/":
        value = binary(machine, node.op, left, right, bare(node.right), bare(node.left))
    else:
        value = binary(machine, node.op, left, right, literal=False)
    if not weighs and node.op in "/*":
        note_share(machine, node.op, node.right, left, right, value)
    if node.op == "/" and isinstance(value, Unknown) and isinstance(left, Unknown) and is_number(right):
        value = named_divisor(value, left, node.right)
    if machine.witnessed.on:
        computed(machine, node.op, left, right, value)
    return value


_CUTS = {"-": "right", "*": "left"}
"""Operations that cut a number to whole windows, and the side on which they say to which."""


def _cut(node: Arith) -> tuple[Expr, Expr] | None:
    """What is cut to whole windows, and their size: `i - i % n`, `len(loader) // n * n`."""
    outer, inner = (node.left, node.right) if node.op == "-" else (node.right, node.left)
    if not isinstance(inner, Arith) or inner.op != ("%" if node.op == "-" else "//"):
        return None
    again = inner.left if node.op == "-" else inner.right
    return (inner.left, inner.right) if alike(outer, again) else None


def alike(one: Expr, other: Expr) -> bool:
    """Whether two expressions are the same number, as far as their names say: a variable, an attribute, a length."""
    if isinstance(one, Read) and isinstance(other, Read):
        return one.name == other.name
    if isinstance(one, Call) and isinstance(other, Call):
        return _is_len(one) and one.text == other.text
    if isinstance(one, Const) and isinstance(other, Const):
        return one.value == other.value
    if isinstance(one, Arith) and isinstance(other, Arith):
        return one.op == other.op and alike(one.left, other.left) and alike(one.right, other.right)
    return isinstance(one, Attr) and isinstance(other, Attr) and one.name == other.name and alike(one.base, other.base)


def _is_len(node: Expr) -> bool:
    return isinstance(node, Call) and isinstance(node.func, Read) and node.func.name == "len"


def _learn_cut(machine: Machine, frame: Frame, number: Expr, size: Expr) -> None:
    """The length of a loader, or a count of its batches, is cut to whole windows: so long is one.

    Raises:
        Restart: it was learned.
    """
    if isinstance(size, Arith):
        _learn_whole(machine, frame, number, size)
        return
    value = evaluate(machine, frame, number)
    length = isinstance(value, int) and value == machine.plan.batches and not machine.course.working
    if not length and not (machine.course.working and isinstance(value, int)):
        return
    window = evaluate(machine, frame, size)
    if isinstance(window, Unknown) and not window.varying:
        machine.plan.bind_window(core(window).key)
    elif isinstance(window, int) and length:
        machine.plan.widen(window)


def _learn_whole(machine: Machine, frame: Frame, number: Expr, size: Arith) -> None:
    """`len(data) // (batch_size * accum) * (batch_size * accum)`: of so many samples no micro-batch is left over.

    Raises:
        Restart: it was learned.
    """
    if size.op != "*" or not _is_len(number) or machine.course.working or machine.plan.frozen or machine.plan.whole:
        return
    windows = {last_name(key) for key in machine.plan.numbers.windows}
    sides = [side for side in (size.left, size.right) if isinstance(side, (Read, Attr, Const))]
    known = [side for side in sides if not isinstance(side, Const) and side.name in windows]
    if known or any(evaluate(machine, frame, side) == machine.plan.seen for side in sides):
        machine.plan.whole = True
        machine.plan.restart()


def _test(machine: Machine, frame: Frame, node: Test) -> Value:
    left = HANDLERS[node.left.__class__](machine, frame, node.left)
    right = HANDLERS[node.right.__class__](machine, frame, node.right)
    if machine.course.cuts:
        last = _last_stride(machine, frame, node, right)
        last = _last_turn(machine, frame, node) if last is None else last
        if last is not None:
            return last
    form = form_of(left) if node.op in _SAME else None
    if isinstance(form, Typed) and form.low is not False and (name := type_name(right)):
        return _is_type(machine, form, name, _SAME[node.op])
    return compare(machine, node.op, left, right, _counter(node, left, right) if node.op in ORDER else "")


_SAME = {"==": True, "is": True, "!=": False, "is not": False}


def _is_type(machine: Machine, form: Typed, name: str, same: bool) -> Value:
    """`dtype == torch.float16`, where an option chooses the type."""
    asked = is_type(form, name)
    known = settled(machine.scenario, asked)
    answer = asked if known is None else known
    return answer if same else negation(answer)


def _last_stride(machine: Machine, frame: Frame, node: Test, right: Value) -> bool | None:
    """`i + size >= n` in `for i in range(0, n, size)`: whether it is the last one; `None` for another question."""
    place = node.left
    if not isinstance(place, Arith) or place.op != "+" or node.op not in (">=", "<", "=="):
        return None
    sides = {getattr(one, "name", ""): other for one, other in ((place.right, place.left), (place.left, place.right))}
    for stride in machine.course.cuts:
        if stride.name not in sides or not isinstance(right, Unknown) or right.key != stride.stop:
            continue
        if key_of(evaluate(machine, frame, sides[stride.name])) == stride.step:
            return machine.course.last[stride.depth] is (node.op != "<")
    return None


def _last_turn(machine: Machine, frame: Frame, node: Test) -> bool | None:
    """`i < n - 1` in `for i in range(n)`: whether it is the last one; `None` for another question."""
    for stride in reversed(machine.course.cuts):
        if stride.step == "1" and is_before_last(node, stride.name):
            end = node.right.left if isinstance(node.right, Arith) else node.right
            if key_of(evaluate(machine, frame, end)) == stride.stop:
                return LASTS[node.op] is machine.course.last[stride.depth]
    return None


def _counter(node: Test, left: Value, right: Value) -> str:
    """What the source calls the number that is held against an unknown limit, unless the number stands there itself."""
    if is_number(left) and isinstance(right, Unknown) and not isinstance(node.left, Const):
        return _called(node.left)
    if is_number(right) and isinstance(left, Unknown) and not isinstance(node.right, Const):
        return _called(node.right)
    return ""


def _called(node: Expr) -> str:
    """`step` for `step`, `self.step` and `step + 1`."""
    if isinstance(node, (Read, Attr)):
        return node.name
    return _called(node.left) if isinstance(node, Arith) else "count"


CHOICE = "a part of a condition"
"""What stands in one is come to, or not, by what was asked before it."""


def _logic(machine: Machine, frame: Frame, node: Logic) -> Value:
    depth = len(machine.scenario.wrapped.choices)
    try:
        return _joined(machine, frame, node)
    finally:
        del machine.scenario.wrapped.choices[depth:]


def _joined(machine: Machine, frame: Frame, node: Logic) -> Value:
    stop = node.op == "or"
    open_parts: list[Value] = []
    value: Value = not stop
    for number, part in enumerate(node.parts):
        if number == 1:
            machine.scenario.wrapped.choices.append(CHOICE)
        value = _at_the_end(machine.course, node, HANDLERS[part.__class__](machine, frame, part))
        machine.course.decides(value)
        known = truth(value)
        if known is stop and not open_parts:
            return value
        if known is stop:
            return _or_default(stop, open_parts, value)
        if known is None:
            open_parts.append(value)
    if not open_parts:
        return value
    if len(open_parts) == 1 and (truth(value) is None or isinstance(value, bool)):
        return open_parts[0]
    if stop and is_number(value) and not isinstance(node.parts[-1], Const):
        return value
    first = open_parts[0]
    if stop and isinstance(first, Tracked) and all(_stands_in(first, part) for part in open_parts):
        return first
    return joined(node.op, open_parts)


def _stands_in(tracked: Tracked, other: Value) -> bool:
    """`optimizer or self.optimizer`: whichever it is, it is the optimizer."""
    alike = (
        other.role is tracked.role if isinstance(other, Tracked) else isinstance(other, Unknown) and other.form is None
    )
    return alike and key_of(other).rpartition(".")[2] == tracked.key.rpartition(".")[2]  # not `ema or model`


def _at_the_end(course: Course, node: Logic, value: Value) -> Value:
    """`(i + 1) % n == 0 or i + 1 == total`: a limit beside a modulus that nobody can compute is the end of the loop."""
    form = form_of(value)
    if not isinstance(form, Compare) or not course.working:
        return value
    counts_left, counts_right = is_number(form.left), is_number(form.right)
    reached = _REACHED.get((form.op, counts_left))
    limit = form.right if counts_left else form.left
    limited = isinstance(limit, Unknown) and _is_limit(limit)
    if reached is None or counts_left is counts_right or not limited or not _counts(node):
        return value
    return course.is_last() is reached


def _is_limit(value: Unknown) -> bool:
    """Whether an unknown number may be how long a loop is: no window, and nothing that is computed from a count."""
    return value.form is None and not value.varying and not WINDOW_NAME.search(value.key)


_REACHED = {
    ("==", True): True,
    ("==", False): True,
    ("!=", True): False,
    ("!=", False): False,
    (">=", True): True,
    ("<=", False): True,
    ("<", True): False,
    (">", False): False,
}
"""Comparisons of a count with a limit, by where the count stands: whether they hold when it is reached."""


def _counts(node: Expr) -> bool:
    """Whether a condition takes a modulus."""
    if isinstance(node, Logic):
        return any(map(_counts, node.parts))
    if isinstance(node, Not):
        return _counts(node.value)
    if isinstance(node, Test):
        return _counts(node.left) or _counts(node.right)
    return isinstance(node, Arith) and (node.op == "%" or _counts(node.left) or _counts(node.right))


def _or_default(stop: bool, open_parts: list[Value], value: Value) -> Value:
    """`flag or True` is true; `x and False` is false; `cfg.n or 4` is some number."""
    if isinstance(value, bool):
        return value
    return open_parts[0] if stop else joined("and", [*open_parts, value])


def _not(machine: Machine, frame: Frame, node: Not) -> Value:
    value = evaluate(machine, frame, node.value)
    machine.course.decides(value)
    known = truth(value)
    if known is not None:
        return not known
    return negation(value)


def _choose(machine: Machine, frame: Frame, node: Choose) -> Value:
    test = evaluate(machine, frame, node.test)
    machine.course.decides(test)
    known = truth(test)
    if known is None and isinstance(node.then, Const) and isinstance(node.other, Const):
        pair = node.then.value, node.other.value
        if pair in _FLAGS and not isinstance(pair[0], float):
            return test if pair[0] else negation(test)
    if known is None:
        gates = _gates_of(node.then) | _gates_of(node.other)
        known = decide_choice(machine, test, node, gates)
    if known is None:
        chosen = evaluate(machine, frame, node.then)
        key = f"({key_of(chosen)} if {key_of(test)} else ...)"
        if _is_null(chosen):
            other = evaluate(machine, frame, node.other)
            return other if _makes_context(other) else chosen
        if isinstance(chosen, Tracked) or _makes_context(chosen) or _is_length(machine.plan, chosen, node.other):
            return chosen
        if isinstance(test, Unknown) and (form := _type(machine, frame, test, node)) is not None:
            return Unknown(key, test.varying, leaves=frozenset((key,)), form=form)
        return machine.unknown(key, varies(test) or varies(chosen)) if not isinstance(chosen, Unknown) else chosen
    made = len(machine.precision.under)
    with machine.scenario.wrapped.within(CHOICE, when=True):
        value = evaluate(machine, frame, node.then if known else node.other)
    machine.precision.ask(made, key_of(test))
    return value


def _type(machine: Machine, frame: Frame, test: Unknown, node: Choose) -> Typed | None:
    """A type that hangs on an option, where bfloat16 is one of several or none: the option, and when it is that."""
    then, other = (_kinds(machine, frame, side) for side in (node.then, node.other))
    if not then or not other or "bfloat16" in then & other:
        return None
    if "bfloat16" not in then | other:
        return Typed(test, False, then | other)
    if {"bfloat16"} not in (then, other):
        return None
    form, low = test.form, "bfloat16" in then
    option = form.left if isinstance(form, Compare) and isinstance(form.right, str) else test
    return Typed(option, test if low else negation(test), (then | other) - {"bfloat16"})


def _kinds(machine: Machine, frame: Frame, node: Expr) -> frozenset[str]:
    """The types that one side of a choice may be; empty for everything else, and for what an option makes bfloat16."""
    if isinstance(node, Attr) and node.name in DTYPES:
        return frozenset((node.name,))
    value = evaluate(machine, frame, node) if isinstance(node, (Read, Attr, Choose)) else None
    form = form_of(value)
    if isinstance(form, Typed) and form.low is False:
        return form.others
    return frozenset(filter(None, (type_name(value),)))


def _makes_context(value: Value) -> bool:
    """A context, or what may make one when it is called."""
    if isinstance(value, Imported):
        effect = known_effect(value.name)
        return effect is not None and effect.action in CONTEXTS
    return isinstance(value, (Context, Routine, Partial, Method))


def _is_null(value: Value) -> bool:
    """`nullcontext()`, and `nullcontext` itself."""
    if isinstance(value, Context):
        return value.kind == "null"
    return isinstance(value, Imported) and value.name.rsplit(".", 1)[-1] == "nullcontext"


_FLAGS = ((True, False), (False, True))
"""What a test chooses that is the test itself; 1 and 0 are equal to these."""


def _is_length(plan: Plan, chosen: Value, other: Expr) -> bool:
    """`len(loader) if has_length(loader) else None`."""
    return isinstance(other, Const) and other.value is None and plan.is_end(chosen)


def decide_choice(machine: Machine, test: Value, node: Choose, gates: Gate) -> bool | None:
    """Decide a conditional expression when something hangs on it."""
    if not gates & (Gate.MAKES | Gate.SYNC | Gate.WEIGHT | Gate.BACKWARD | Gate.STEP | Gate.SCALER):
        curious = machine.plan.options.curious and Gate.ROLE in gates and not varies(test)
        return (
            decide(machine, test, Gate.ROLE in _gates_of(node.then), 0) if curious else settled(machine.scenario, test)
        )
    if Gate.SYNC in gates:
        learn_window(machine.plan, machine.sizes, test, "accum")
    if varies(test) and Gate.SYNC in gates:
        return machine.is_now_and_then(id(node)) is not (Gate.SYNC in _gates_of(node.then))
    if varies(test):
        return True
    want = bool(_gates_of(node.then)) or not _gates_of(node.other)
    return decide(machine, test, want, 2)


def _gates_of(node: Expr) -> Gate:
    if isinstance(node, Call):
        return node.gates
    if isinstance(node, Arith):
        named = any("loss" in getattr(side, "name", "") for side in (node.left, node.right))
        return Gate.WEIGHT if named and node.op in ("/", "*") else Gate.NOTHING
    if isinstance(node, Attr) and node.name in ("no_sync", "no_backward_sync"):
        return Gate.SYNC
    return Gate.NOTHING


OPERATORS: Handlers = {Arith: _arith, Test: _test, Logic: _logic, Not: _not, Choose: _choose}
