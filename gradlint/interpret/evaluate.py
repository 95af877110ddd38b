"""Expressions of the dry run, assignment, and iteration."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeGuard, TypeVar

from gradlint.interpret.anew import name_network
from gradlint.interpret.arithmetic import ORDER, bare, binary, compare, composite, like_a_loss, merge, named_divisor
from gradlint.interpret.calls import call, known_effect
from gradlint.interpret.dispatch import HANDLERS, evaluate
from gradlint.interpret.frame import Frame
from gradlint.interpret.guards import core, decide, learn_window, settled, truth
from gradlint.interpret.layers import has_one_mode
from gradlint.interpret.machine import Machine
from gradlint.interpret.modes import set_mode
from gradlint.interpret.plan import MAX_WINDOW, last_name
from gradlint.interpret.rates import note_share, set_rate
from gradlint.interpret.series import merge_into
from gradlint.interpret.things import attribute, weight_of
from gradlint.interpret.told import told_value
from gradlint.interpret.values import (
    GRADIENT,
    Constructor,
    Context,
    Method,
    Module,
    Parameters,
    Partial,
    Routine,
    Series,
    SomeKey,
    Table,
    Thing,
    Unknown,
    Value,
    dictionary,
    exact,
    is_layer,
    is_number,
    key_of,
    key_value,
    layer,
    negation,
    things_in,
)
from gradlint.libraries.vocabulary import DTYPES, INDEX_NAME, WEIGHT_NAME, WINDOW_NAME
from gradlint.model.events import Kept, Kind, Stamp, Turn
from gradlint.model.factor import ONE, UNKNOWN_FACTOR
from gradlint.model.finding import Span
from gradlint.model.program import (
    Arith,
    Attr,
    Bind,
    Call,
    Choose,
    Closure,
    Comprehension,
    Const,
    Dictionary,
    Display,
    Expr,
    For,
    Gate,
    Item,
    Logic,
    LoopKind,
    Not,
    Opaque,
    Read,
    Role,
    Star,
    Target,
    Test,
    Told,
)

_MANUFACTURED = frozenset(
    {
        Role.OPTIMIZER,
        Role.SCALER,
        Role.SCALER_CALLABLE,
        Role.SCHEDULER,
        Role.MODEL,
        Role.LOADER,
        Role.SAMPLER,
        Role.ENGINE,
        Role.ACCELERATOR,
        Role.FABRIC,
        Role.EMA,
    }
)


def _const(machine: Machine, frame: Frame, node: Const) -> Value:
    return node.value  # type: ignore[return-value]  # lowering makes only plain constants


def _read(machine: Machine, frame: Frame, node: Read) -> Value:
    name = node.name
    here: Frame | None = frame
    while here is not None:
        if name in here.values:
            return here.values[name]
        here = here.parent
    world = machine.world
    if name in world.values:
        return world.values[name]
    if node.qualified is not None:
        return machine.imported(node.qualified)
    if name == "__name__":
        return "__main__"
    value = machine.free(name, node.hint)
    if isinstance(value, Thing):
        world.values[name] = value
    return value


def _attr(machine: Machine, frame: Frame, node: Attr) -> Value:
    base = HANDLERS[node.base.__class__](machine, frame, node.base)
    if base.__class__ is int and node.name not in _OF_NUMBERS:
        # what looked like the count of a loop is a record: `for step, batch in steps: step.number`
        record = node.base.name if isinstance(node.base, (Read, Attr)) else "record"
        return Unknown(f"{record}.{node.name}", varying=True)
    return attribute(machine, base, node.name, node.hint, node.qualified)


_OF_NUMBERS = frozenset(dir(int))


def _item(machine: Machine, frame: Frame, node: Item) -> Value:
    base = HANDLERS[node.base.__class__](machine, frame, node.base)
    index = HANDLERS[node.index.__class__](machine, frame, node.index)
    if base.__class__ is not Unknown:
        machine.decides(index)
        held = _made_for(base, index) if isinstance(base, Table) and base.lists else _held(machine, base, index, node)
        if held is not _NOT_HELD:
            return held  # type: ignore[return-value]  # else it is an item
    hint = node.hint or (node.base.hint if isinstance(node.base, (Read, Attr)) else None)
    at = key_of(index)
    key = f"{key_of(base)}[{at}]"
    if key in machine.overrides:
        return machine.overrides[key]
    if key in machine.plan.bindings:
        return machine.bound(key)
    if isinstance(base, Thing) and base.role is Role.FOREIGN:
        return base
    if hint is not None and hint in _MANUFACTURED and hint is not Role.LOADER and not _is_result(base):
        return machine.thing(hint, key, "item")
    front = _front(machine, frame, base, node)
    if front is not None:
        return front
    if isinstance(base, Unknown):
        if base.held and f"[{at}]" in base.held:
            return base.held[f"[{at}]"]
        if isinstance(node.index, Opaque) and base.key in machine.plan.counts:
            _count_slice(machine, key, base.key, node.index.text)
        item = base.under(key)
        item.varying = base.varying or _varies(index)
        item.leaves = frozenset((key,))
        item.factor, item.terms = weight_of(base), ()
        item.held = None
        item.bases = machine.part(base.bases, at)
        item.smooth = _smooth_part(base, item.bases) if not isinstance(node.index, Opaque) else base.smooth
        if index != 0:
            item.measures = None
        return item
    return machine.unknown(key, _varies(index) or _varies(base))


def _front(machine: Machine, frame: Frame, base: Value, node: Item) -> Value:
    """`batches[:whole]`: the first of some batches that nobody can list."""
    index = node.index
    if not isinstance(index, Opaque) or not index.text.startswith(":") or len(index.parts) != 1:
        return None
    if not isinstance(base, Unknown) or base.bases or base.forwards or base.logic is not None:
        return None
    if base.key not in machine.plan.measured | machine.plan.loaders:
        return None  # nobody asks how many there are
    stop = evaluate(machine, frame, index.parts[0])
    key = f"{base.key}[{index.text}]"
    return Unknown(key, base.varying, leaves=frozenset((key,)), logic=("islice", base, stop, None))


_Held = TypeVar("_Held")
_SLICE = re.compile(r"(?P<start>-?\d*):(?P<stop>-?\d*)")


def _count_slice(machine: Machine, key: str, whole: str, text: str) -> None:
    """`data[:6]` of so many batches is six of them."""
    machine.plan.counts[key] = len(_sliced(range(machine.plan.counts[whole]), text))


def _sliced(items: Sequence[_Held], text: str) -> list[_Held]:
    """What a slice takes; everything, where nobody knows its ends or nothing would be left."""
    found = _SLICE.fullmatch(text.replace(" ", ""))
    if found is None:
        return list(items)
    start, stop = (int(found[end]) if found[end].strip("-") else None for end in ("start", "stop"))
    return list(items[start:stop]) or list(items)


_NOT_HELD = object()
_ANY_KEY = object()


def _made_for(base: Table, index: Value) -> object:
    """What a `defaultdict(list)` holds there; under a key that nobody knows there may be anything."""
    if isinstance(index, (Unknown, Thing)):
        return base.items.setdefault(_ANY_KEY, Unknown(f"{key_of(base)}[*]", varying=True))
    key = index if isinstance(index, (str, int, bool)) or index is None else key_of(index)
    return base.items.setdefault(key, Series([], born=base.born))


def _held(machine: Machine, base: Value, index: Value, node: Item) -> object:
    """What a list, a dictionary or parameters hold there."""
    if isinstance(base, Table):
        key = SomeKey(index.key) if isinstance(index, Unknown) else index
        if not isinstance(key, Series) and key in base.items:
            return base.items[key]
        found = _one_of(list(base.items.values()))
        return _type_of(machine, base, index) if found is _NOT_HELD and isinstance(index, Unknown) else found
    if isinstance(base, Parameters):
        if base.held is not None and index == "lr":
            return Unknown(f"{base.held.key}.lr", leaves=frozenset((f"{base.held.key}.lr",)))
        return base if isinstance(index, str) or base.some else replace(base, some=f"[{key_of(index)}]")
    if isinstance(base, Series):
        if isinstance(index, int) and -len(base.items) <= index < len(base.items):
            return base.items[index]
        if isinstance(node.index, Opaque):
            return Series(_sliced(base.items, node.index.text), base.kind)
        if base.items and all(isinstance(item, Thing) for item in base.items):
            return base.items[0]
    return _NOT_HELD


def _type_of(machine: Machine, table: Table, index: Unknown) -> object:
    """What a table of types, and of nothing else, holds under an option, where it is bfloat16 for one text."""
    plain = all(isinstance(item, Module) and item.name.rsplit(".", 1)[-1] in DTYPES for item in table.items.values())
    low = [key for key, item in table.items.items() if plain and key_of(item).endswith(".bfloat16")]
    if len(low) != 1 or not isinstance(low[0], str):
        return _NOT_HELD
    key = f"{key_of(table)}[{key_of(index)}]"
    logic = ("typed", index, compare(machine, "==", index, low[0]))
    return Unknown(key, index.varying, leaves=frozenset((key,)), logic=logic)


def _one_of(items: list[Value]) -> object:
    """One of several types or criteria, nobody knows which: how these reduce is known where they all do alike."""
    if types := {item.name.rsplit(".", 1)[-1] for item in items if isinstance(item, Module)}:
        return _low(items, types)
    if items and all(isinstance(item, (Routine, Partial)) for item in items):
        return items[0]
    if not items or not all(isinstance(item, Thing) and item.role is Role.CRITERION for item in items):
        return _NOT_HELD
    kinds = {item.kind for item in items if isinstance(item, Thing)}
    first = items[0]
    return replace(first, kind=kinds.pop() if len(kinds) == 1 else "") if isinstance(first, Thing) else _NOT_HELD


def _low(items: list[Value], types: set[str]) -> object:
    """Of some types the one that autocast is switched on for, where no other needs a scaler."""
    if len(types) < 2 or not types <= _WITHOUT_SCALER or not all(isinstance(item, Module) for item in items):
        return _NOT_HELD
    return next((item for item in items if key_of(item).endswith(".bfloat16")), _NOT_HELD)


_WITHOUT_SCALER = frozenset({"bfloat16", "float32", "float"})


def _is_result(value: Value) -> bool:
    return isinstance(value, Unknown) and bool(value.forwards)


def _varies(value: Value) -> bool:
    return isinstance(value, Unknown) and value.varying


def _arith(machine: Machine, frame: Frame, node: Arith) -> Value:
    if node.op in _CUTS and (cut := _cut(node)) is not None:
        _learn_cut(machine, frame, *cut)
    left = HANDLERS[node.left.__class__](machine, frame, node.left)
    right = HANDLERS[node.right.__class__](machine, frame, node.right)
    weighs = left.__class__ is Unknown or right.__class__ is Unknown
    value = binary(machine, node.op, left, right, weighs and bare(node.right), weighs and bare(node.left))
    if not weighs and node.op in "/*":
        note_share(machine, node, left, right, value)
    if node.op == "/" and isinstance(value, Unknown) and isinstance(left, Unknown) and is_number(right):
        return named_divisor(value, left, node.right)
    return value


_CUTS = frozenset("-*")


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
    length = isinstance(value, int) and value == machine.plan.batches and not machine.working
    if not length and not (machine.working and isinstance(value, int)):
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
    if size.op != "*" or not _is_len(number) or machine.working or machine.plan.frozen or machine.plan.whole:
        return
    windows = {last_name(key) for key in machine.plan.windows}
    sides = [side for side in (size.left, size.right) if isinstance(side, (Read, Attr, Const))]
    known = [side for side in sides if not isinstance(side, Const) and side.name in windows]
    if known or any(evaluate(machine, frame, side) == machine.plan.seen for side in sides):
        machine.plan.whole = True
        machine.restart()


def _test(machine: Machine, frame: Frame, node: Test) -> Value:
    left = HANDLERS[node.left.__class__](machine, frame, node.left)
    right = HANDLERS[node.right.__class__](machine, frame, node.right)
    if machine.pace.cuts:
        last = _last_stride(machine, frame, node, right)
        if last is not None:
            return last
    return compare(machine, node.op, left, right, _counter(node, left, right) if node.op in ORDER else "")


def _last_stride(machine: Machine, frame: Frame, node: Test, right: Value) -> bool | None:
    """`i + size >= n` in `for i in range(0, n, size)`: whether this is the last turn; `None` for another question."""
    place = node.left
    if not isinstance(place, Arith) or place.op != "+" or node.op not in (">=", "<", "=="):
        return None
    sides = {getattr(one, "name", ""): other for one, other in ((place.right, place.left), (place.left, place.right))}
    for stride in machine.pace.cuts:
        if stride.name not in sides or not isinstance(right, Unknown) or right.key != stride.stop:
            continue
        if key_of(evaluate(machine, frame, sides[stride.name])) == stride.step:
            return machine.last_turn[stride.depth] is (node.op != "<")
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


def _logic(machine: Machine, frame: Frame, node: Logic) -> Value:
    stop = node.op == "or"
    open_parts: list[Value] = []
    value: Value = not stop
    for part in node.parts:
        value = _at_the_end(machine, node, HANDLERS[part.__class__](machine, frame, part))
        machine.decides(value)
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
    if stop and isinstance(first, Thing) and all(_stands_in(first, part) for part in open_parts):
        return first
    return composite(node.op, open_parts)


def _stands_in(thing: Thing, other: Value) -> bool:
    """`optimizer or self.optimizer`: whichever it is, it is the optimizer."""
    alike = other.role is thing.role if isinstance(other, Thing) else isinstance(other, Unknown) and other.logic is None
    return alike and key_of(other).rpartition(".")[2] == thing.key.rpartition(".")[2]  # not `ema or model`


def _at_the_end(machine: Machine, node: Logic, value: Value) -> Value:
    """`(i + 1) % n == 0 or i + 1 == total`: a limit beside a modulus that nobody can compute is the end of the loop."""
    if not isinstance(value, Unknown) or value.logic is None or value.logic[0] != "cmp" or not machine.working:
        return value
    _, op, left, right = value.logic
    reached = _REACHED.get((op, is_number(left)))  # type: ignore[arg-type]  # logic tuples hold values
    limit = right if is_number(left) else left  # type: ignore[arg-type]  # as above
    limited = isinstance(limit, Unknown) and _is_limit(limit)
    if reached is None or is_number(left) is is_number(right) or not limited or not _counts(node):  # type: ignore[arg-type]  # as above
        return value
    return machine.is_last_turn() is reached


def _is_limit(value: Unknown) -> bool:
    """Whether an unknown number may be how long a loop is: no window, and nothing that is computed from a count."""
    return value.logic is None and not value.varying and not WINDOW_NAME.search(value.key)


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
    return open_parts[0] if stop else composite("and", [*open_parts, value])


def _not(machine: Machine, frame: Frame, node: Not) -> Value:
    value = evaluate(machine, frame, node.value)
    machine.decides(value)
    known = truth(value)
    if known is not None:
        return not known
    return negation(value)


def _choose(machine: Machine, frame: Frame, node: Choose) -> Value:
    test = evaluate(machine, frame, node.test)
    machine.decides(test)
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
        if isinstance(chosen, Thing) or _makes_context(chosen) or _is_length(machine, chosen, node.other):
            return chosen
        if isinstance(test, Unknown) and isinstance(chosen, Module) and (low := _chooses_low(node)) is not None:
            return Unknown(key, test.varying, leaves=frozenset((key,)), logic=_typed(test, low))
        return machine.unknown(key, _varies(test) or _varies(chosen)) if not isinstance(chosen, Unknown) else chosen
    return evaluate(machine, frame, node.then if known else node.other)


def _chooses_low(node: Choose) -> bool | None:
    """Which way bfloat16 is chosen, where it is one of two types."""
    names = [side.name if isinstance(side, Attr) else "" for side in (node.then, node.other)]
    return names[0] == "bfloat16" if set(names) <= DTYPES and names.count("bfloat16") == 1 else None


def _typed(test: Unknown, low: bool) -> tuple[str, Value, Value]:
    """A type that hangs on an option: the option, and when it is bfloat16."""
    logic = test.logic
    held = logic is not None and logic[0] == "cmp" and isinstance(logic[3], str)
    option: Value = logic[2] if held else test  # type: ignore[assignment,index]  # logic tuples hold values
    return "typed", option, test if low else negation(test)


def _makes_context(value: Value) -> bool:
    """A context, or what may make one when it is called."""
    if isinstance(value, Module):
        effect = known_effect(value.name)
        return effect is not None and effect.action == "context"
    return isinstance(value, (Context, Routine, Partial, Method))


def _is_null(value: Value) -> bool:
    """`nullcontext()`, and `nullcontext` itself."""
    if isinstance(value, Context):
        return value.kind == "null"
    return isinstance(value, Module) and value.name.rsplit(".", 1)[-1] == "nullcontext"


_FLAGS = ((True, False), (False, True))
"""What a test chooses that is the test itself; 1 and 0 are equal to these."""


def _is_length(machine: Machine, chosen: Value, other: Expr) -> bool:
    """`len(loader) if has_length(loader) else None`."""
    return isinstance(other, Const) and other.value is None and machine.plan.is_end(chosen)


def decide_choice(machine: Machine, test: Value, node: Choose, gates: Gate) -> bool | None:
    """Decide a conditional expression when something hangs on it."""
    if not gates & (Gate.MAKES | Gate.SYNC | Gate.WEIGHT | Gate.BACKWARD | Gate.STEP | Gate.SCALER):
        curious = machine.plan.curious and Gate.ROLE in gates and not _varies(test)
        return decide(machine, test, Gate.ROLE in _gates_of(node.then), 0) if curious else settled(machine, test)
    if Gate.SYNC in gates:
        learn_window(machine, test, "accum")
    if _varies(test) and Gate.SYNC in gates:
        return machine.turn_of(id(node)) is not (Gate.SYNC in _gates_of(node.then))
    if _varies(test):
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


def _display(machine: Machine, frame: Frame, node: Display) -> Value:
    items: list[Value] = []
    for part in node.items:
        if isinstance(part, Star):
            inner = evaluate(machine, frame, part.value)
            items += inner.items if isinstance(inner, Series) else [inner]
        else:
            items.append(evaluate(machine, frame, part))
    return Series(items, node.kind, born=machine.stamp)


def _mapping(machine: Machine, frame: Frame, node: Dictionary) -> Value:
    table = Table({})
    for key, value in node.items:
        held = evaluate(machine, frame, value)
        if key is None:
            merge_into(machine, table, held, key_of(held))
            continue
        name = evaluate(machine, frame, key)
        table.items[name if isinstance(name, (str, int, bool)) or name is None else key_of(name)] = held
    return table


def _comprehension(machine: Machine, frame: Frame, node: Comprehension) -> Value:
    source = evaluate(machine, frame, node.iterable)
    if isinstance(source, Parameters):
        return _of_parameters(machine, source, node)
    items = _listed(machine, source) if node.loop is None else iterate(machine, source, node.loop)
    several = node.loop is None and not isinstance(source, (Series, Table))
    machine.repeating += several
    try:
        results = [_element_value(machine, frame, node, item, number) for number, item in enumerate(items)]
    finally:
        machine.repeating -= several
    if node.kind == "dict":
        return dictionary(results)
    if node.flat:
        return _in_a_row(node, results)
    many = _is_range(source) or (_is_unknown_many(source) and _is_batch(results[0]))
    if node.kind == "list" and many and len(results) == 1 and _is_data(results[0]):
        return Unknown(f"[... for ... in {key_of(source)}]", logic=("listed", source))
    if node.kind == "list" and not machine.turns and len(results) > 1 and all(_is_data(item) for item in results):
        key = f"[... for ... in {key_of(source)}]"
        if isinstance(source, Series):
            machine.plan.counts[key] = len(source.items)
        return machine.unknown(key, False)
    drawn = source if node.kind == "generator" and several and len(results) == 1 else None
    return Series(results, "list", once=node.kind == "generator", drawn=drawn)


def _in_a_row(node: Comprehension, parts: list[Value]) -> Value:
    """What nested comprehensions hold, in a row: parameters of several networks, or items."""
    parameters = [part for part in parts if isinstance(part, Parameters)]
    if parameters and len(parameters) == len(parts):
        roots = frozenset[str]().union(*(part.roots for part in parameters))
        return Parameters(roots, once=node.kind == "generator", grads=any(part.grads for part in parameters))
    if parts and all(isinstance(part, Series) for part in parts):
        items = [item for part in parts if isinstance(part, Series) for item in part.items]
        return Series(items, "list", once=node.kind == "generator")
    return merge("[... for ... for ...]", [part for part in parts if isinstance(part, Unknown)])


def _of_parameters(machine: Machine, source: Parameters, node: Comprehension) -> Value:
    """Parameters picked from others, their gradients, or what is measured of these."""
    asks = _asks_for_gradients(node.element)
    if asks:
        machine.read_gradients()
    alive = source.consume()
    roots = source.roots if alive else frozenset[str]()
    element = node.element
    own = isinstance(element, Attr) and element.name == "grad"
    plain = own or isinstance(element, (Read, Display))
    if not plain and (source.grads or asks):
        return Unknown("norms", varying=True, detached=True, leaves=frozenset((GRADIENT,)))
    some = source.some or node.picks
    return Parameters(roots, once=node.kind == "generator", used=not roots, grads=asks or source.grads, some=some)


def _asks_for_gradients(node: object) -> bool:
    """Whether an expression reads `.grad` somewhere."""
    if isinstance(node, Attr) and node.name == "grad":
        return True
    if isinstance(node, tuple):
        return any(map(_asks_for_gradients, node))
    names = set(getattr(node, "__slots__", ())) - _NO_PARTS
    return any(_asks_for_gradients(getattr(node, name)) for name in names)


_NO_PARTS = frozenset({"span", "gates", "effect", "methods", "text"})


def _listed(machine: Machine, source: Value) -> list[Value]:
    """What a comprehension runs over: what is known, else one element for all."""
    if isinstance(source, Series):
        return source.items[:64]
    if isinstance(source, Table):
        names = [key_value(name) for name in source.items if isinstance(name, (str, int, SomeKey))]
        return names[:64] or [element_of(machine, source)]
    if isinstance(source, Unknown) and source.logic is not None and source.logic[0] in ("enumerate", "zip"):
        return _rows(machine, source)
    return [element_of(machine, source)]


def _rows(machine: Machine, source: Unknown) -> list[Value]:
    """What a comprehension gets of `enumerate(nets)` and `zip(nets, rates)`, as far as these are known."""
    assert source.logic is not None
    if source.logic[0] == "enumerate":
        held: Value = source.logic[1]  # type: ignore[assignment]  # logic tuples hold values
        number = Unknown(f"{source.key}.number", varying=True)
        return [Series([number, item], "tuple") for item in _listed(machine, held)]
    parts: list[Value] = source.logic[1]  # type: ignore[assignment]  # as above
    return [Series(list(row), "tuple") for row in zip(*(_listed(machine, part) for part in parts), strict=False)]


def _is_range(source: Value) -> TypeGuard[Unknown]:
    """A range of so many numbers as nobody knows."""
    return isinstance(source, Unknown) and source.logic is not None and source.logic[0] == "range"


def _is_unknown_many(source: Value) -> bool:
    """Something of nobody knows how many parts, such as a tensor that is walked."""
    return isinstance(source, Unknown) and not source.forwards


def _is_batch(value: Value) -> bool:
    """A pair or a dictionary that is written down: a batch, if it is made of data, but no group of parameters."""
    if isinstance(value, Table):
        return "params" not in value.items and len(value.items) > 1
    return isinstance(value, Series) and value.kind == "tuple" and len(value.items) > 1


def _is_data(value: Value) -> bool:
    """True for a batch that was made up: how many of them a small example makes says nothing of a loader."""
    if isinstance(value, Series):
        return value.kind == "tuple" and bool(value.items) and all(_is_data(item) for item in value.items)
    if isinstance(value, Table):
        return bool(value.items) and all(_is_data(item) for item in value.items.values())
    return isinstance(value, Unknown) and not value.forwards


def _element_value(machine: Machine, frame: Frame, node: Comprehension, item: Value, number: int) -> Value:
    scope = Frame(frame.function, parent=frame)
    _bind_into(machine, scope, node.target, item)
    for test in node.conditions:
        evaluate(machine, scope, test)
    if node.loop is None:
        return evaluate(machine, scope, node.element)
    machine.turns.append(Turn(node.loop.ident, number, node.loop.kind.value))
    machine.last_turn.append(False)
    try:
        return evaluate(machine, scope, node.element)
    finally:
        machine.turns.pop()
        machine.last_turn.pop()


def _bind_into(machine: Machine, scope: Frame, target: Target, item: Value) -> None:
    if isinstance(target, Read):
        scope.values[target.name] = item
    elif isinstance(target, Display):
        for number, part in enumerate(target.items):
            inner = (
                item.items[number]
                if isinstance(item, Series) and number < len(item.items)
                else Unknown(f"item{number}", True)
            )
            _bind_into(machine, scope, part, inner)  # type: ignore[arg-type]  # parts of a target are targets


def _closure(machine: Machine, frame: Frame, node: Closure) -> Value:
    return Routine(node.function, frame)


def _star(machine: Machine, frame: Frame, node: Star) -> Value:
    return evaluate(machine, frame, node.value)


def _bind(machine: Machine, frame: Frame, node: Bind) -> Value:
    value = evaluate(machine, frame, node.value)
    frame.values[node.name] = value
    return value


def _opaque(machine: Machine, frame: Frame, node: Opaque) -> Value:
    values = [evaluate(machine, frame, part) for part in node.parts]
    known = [value for value in values if isinstance(value, Unknown)]
    result = merge(node.text, known)
    result.leaves = frozenset((node.text,))
    if any(value.factor.divided or value.factor.weight is None for value in known):
        result.factor = UNKNOWN_FACTOR
    return result


# ----------------------------------------------------------------------------- assignment


def assign(machine: Machine, frame: Frame, target: Target, value: Value, span: Span, fresh: bool = True) -> None:
    """Store `value`; `fresh` says that this begins a new life of the target."""
    if fresh and value.__class__ is Thing:
        _name_thing(machine, frame, target, value)
    if fresh and isinstance(value, (Series, Table)):
        _name_items(machine, frame, target, value)
    if isinstance(target, Read):
        name = target.name
        home = frame.home(name)
        home.values[name] = value if target.hint is None else _local(machine, home, target, value)
        if fresh or name not in home.born:
            home.born[name] = machine.stamp
    elif isinstance(target, Attr):
        base = evaluate(machine, frame, target.base)
        _hold(machine, frame, target, base, f".{target.name}", value, span)
        if target.name == "training":
            set_mode(machine, base, value, span, f"{key_of(base)}.training")
        _set_attribute(machine, base, target, value, fresh)
    elif isinstance(target, Item):
        base = evaluate(machine, frame, target.base)
        index = evaluate(machine, frame, target.index)
        _hold(machine, frame, target, base, "" if isinstance(index, Unknown) else f"[{key_of(index)}]", value, span)
        _set_item(machine, base, index, value)
    elif isinstance(target, Display):
        _unpack(machine, frame, target, value, span)
    elif isinstance(target, Star):
        assign(machine, frame, target.value, value, span, fresh)  # type: ignore[arg-type]  # a starred target holds one


def _hold(
    machine: Machine, frame: Frame, target: Attr | Item, base: Value, place: str, value: Value, span: Span
) -> None:
    """A part of what a model has returned is replaced: `out.loss /= n`, `losses["box"] = losses["box"] / n`.

    Where nobody knows which part it is, the weight of none is known any more.
    """
    if not isinstance(base, Unknown) or not isinstance(value, Unknown) or not (base.forwards or like_a_loss(target)):
        return
    if place:
        base.held = {**(base.held or {}), place: value}
    elif value.factor != ONE:
        base.factor = UNKNOWN_FACTOR
    if isinstance(target.base, (Attr, Item)):
        assign(machine, frame, target.base, base, span, fresh=False)


def _set_item(machine: Machine, base: Value, index: Value, value: Value) -> None:
    if isinstance(base, Table):
        if isinstance(index, (str, int, bool)):
            base.items[index] = value
        elif isinstance(index, Unknown) and isinstance(value, Unknown) and value.forwards:
            base.items[SomeKey(index.key)] = value
    elif isinstance(base, Series):
        if isinstance(index, int) and -len(base.items) <= index < len(base.items):
            base.items[index] = value
    elif isinstance(base, Parameters):
        if base.held is not None and index == "lr":
            set_rate(machine, base.held, value)
    elif isinstance(base, Unknown) and isinstance(index, str) and WEIGHT_NAME.search(index):
        base.weighs = True
    elif isinstance(base, Unknown) and not base.varying and not isinstance(value, Unknown):
        machine.overrides[f"{base.key}[{key_of(index)}]"] = value
    elif isinstance(base, Unknown) and isinstance(value, Unknown) and value.detached and _any_of(base, index):
        base.detached, base.bases, base.held = True, frozenset(), None


def _any_of(base: Unknown, index: Value) -> bool:
    """`for key, value in losses.items(): losses[key] = value.item()`: all of it is numbers then."""
    return isinstance(index, Unknown) and index.varying and index.key.startswith(f"{base.key}.")


def loop_over(machine: Machine, frame: Frame, target: Target, item: Value, span: Span) -> None:
    """Bind a loop's target; the object keeps the name it has elsewhere."""
    if isinstance(target, Read):
        home = frame.home(target.name)
        home.values[target.name] = item
        home.born[target.name] = machine.stamp
    else:
        assign(machine, frame, target, item, span)


def _set_attribute(machine: Machine, base: Value, target: Attr, value: Value, fresh: bool) -> None:
    if isinstance(base, Constructor):
        machine.overrides[f"{base.cls.name}.{target.name}"] = value
    if isinstance(base, Unknown) and not base.varying and not isinstance(value, Unknown):
        machine.overrides[f"{base.key}.{target.name}"] = value
    if isinstance(base, Parameters) and target.name == "requires_grad":
        machine.freeze(base.roots, truth(value))
    if not isinstance(base, Thing):
        return
    if base.role is Role.SAMPLER and target.name in ("epoch", "seed") and not machine.preparing:
        machine.emit(Kind.SET_EPOCH, machine.heads[-1] if machine.heads else machine.program.body.span, base.key, "")
    if target.name == "require_backward_grad_sync":
        if base.distributed or base.root not in machine.wrappers:  # DDP reads its own flag, not that of what it holds
            machine.switch_sync(base.root, truth(value))
        return
    made = manufactured(machine, value, target.hint, f"{base.key}.{target.name}")
    name_network(machine, made, value, f"{base.key}.{target.name}", local=False)
    base.attrs[target.name] = _of_parts(machine, made, value)
    if fresh or target.name not in base.born:
        base.born[target.name] = machine.stamp


def _local(machine: Machine, home: Frame, target: Read, value: Value) -> Value:
    """What a factory made, under the name of a variable: in another function, or another call of it, another thing."""
    made = manufactured(machine, value, target.hint, target.name)
    local = home is not machine.world
    name_network(machine, made, value, target.name, local=local)
    if not isinstance(made, Thing) or made is value or made.role is Role.MODEL:
        return _of_parts(machine, made, value)
    if local and made.key == target.name:
        made.key = target.name if _GETTER.match(key_of(value)) else machine.local_name(target.name)
    return made


def _of_parts(machine: Machine, made: Value, value: Value) -> Value:
    """Remember which models a factory made another one of."""
    if made is not value and isinstance(made, Thing) and made.role is Role.MODEL:
        held = frozenset((value.key,)) if is_layer(value) else None
        parts = machine.made_of.get(key_of(value), held)
        if parts is not None:
            machine.made_of[made.key] = parts
        for part in [part for part, whole in machine.models.gathered.items() if whole is value]:
            machine.models.gathered[part] = made
    return made


_GETTER = re.compile(r"(\w+\.)*(get|current|the|unwrap)_")
"""Factories that may hand out the same optimizer again."""


def manufactured(machine: Machine, value: Value, hint: Role | None, name: str) -> Value:
    """What a project's own factory made has the role of its name; an optimizer has the networks handed over."""
    if isinstance(value, Unknown) and value.called and hint in _MANUFACTURED and not value.detached:
        anew = machine.turns and not _HANDLE.search(value.key)
        origin = "foreign" if hint is Role.OPTIMIZER and _CLASS.match(value.key) else "factory"
        thing = Thing(f"{name}#{machine.fresh()}" if anew else name, hint, origin=origin)
        if hint is Role.OPTIMIZER:
            thing.extra["class"] = machine.models.classes.get(value)
            thing.params = machine.made_of.get(value.key)
        if hint is Role.MODEL:
            thing.key = name
            thing.extra["one mode"] = has_one_mode(value)
        return thing
    return value


_CLASS = re.compile(r"(\w+\.)*[A-Z]\w*[a-z]\w*\(")
"""A class of another package or file is made: what its methods do, nobody can see here."""

_HANDLE = re.compile(r"\b(optimizers|lr_schedulers)\(\w*\)(\[-?\d+\])?$")
"""Lightning's calls that hand out the same object every time."""


def _name_thing(machine: Machine, frame: Frame, target: Target, value: Thing) -> None:
    """A new object is called by the first name it is assigned to, unless the books know it already."""
    if _nameless(machine, value):
        name = _full_name(machine, frame, target)
        if name:
            _rename(value, _own_key(machine, name))


def _name_items(machine: Machine, frame: Frame, target: Target, value: Series | Table) -> None:
    """New objects that a list or dictionary holds are called by their place in it, so that they stay apart."""
    items = list(enumerate(value.items) if isinstance(value, Series) else value.items.items())
    new = [(label, item) for label, item in items if _is_new(machine, item)]
    name = _full_name(machine, frame, target) if len(new) > 1 else ""
    for label, item in new if name else ():
        key = _own_key(machine, f"{name}[{label!r}]")
        if isinstance(item, Thing):
            _rename(item, key)
        elif is_layer(item):
            value.items[label] = layer(item, key)  # type: ignore[call-overload]  # a label of its own


def _is_new(machine: Machine, value: Value) -> bool:
    return _nameless(machine, value) if isinstance(value, Thing) else is_layer(value) and "(" in key_of(value)


def _nameless(machine: Machine, value: Thing) -> bool:
    """Whether nobody has named a new object: what one holds has a name, `new:Trainer.model`, and keeps it."""
    unnamed = value.key.startswith("new:") and "." not in value.key
    return value.origin == "made" and unnamed and not _entered(machine, value.key)


def _full_name(machine: Machine, frame: Frame, target: Target) -> str:
    """The name of a variable or attribute with its owner, else empty."""
    if isinstance(target, Attr):
        return f"{key_of(evaluate(machine, frame, target.base))}.{target.name}"
    return target.name if isinstance(target, Read) else ""


def _rename(value: Thing, name: str) -> None:
    """Give an object, and the parts of a model, its name."""
    old, value.key = value.key, name
    if value.role is Role.MODEL:
        _name_parts(value, old, name)


def _name_parts(model: Thing, old: str, new: str) -> None:
    """The parts of a model that was made in this file are called after it."""
    for part in (thing for value in model.attrs.values() for thing in things_in(value)):
        if part.key.startswith(f"{old}."):
            part.key = _renamed(part.key, old, new)
            if part.params is not None:
                part.params = frozenset(_renamed(root, old, new) for root in part.params)
            _name_parts(part, old, new)


def _renamed(key: str, old: str, new: str) -> str:
    return new + key.removeprefix(old) if key == old or key.startswith(f"{old}.") else key


def _entered(machine: Machine, key: str) -> bool:
    return any(key in (event.subject, getattr(event.detail, "optimizer", None)) for event in machine.trail.events)


def _own_key(machine: Machine, name: str) -> str:
    """The first name an object is given is its key; a second object under it gets a number."""
    taken = machine.counters.get(("key", name), 0)
    machine.counters["key", name] = taken + 1
    return name if not taken else f"{name}#{taken}"


def _unpack(machine: Machine, frame: Frame, target: Display, value: Value, span: Span) -> None:
    item: Value
    for number, part in enumerate(target.items):
        if isinstance(value, Series) and number < len(value.items):
            item = value.items[number]
        elif isinstance(value, Unknown):
            key = f"{value.key}[{number}]"
            bases = machine.part(value.bases, str(number))
            item = _part(value, key, bases)
        else:
            item = machine.unknown(f"{key_of(value)}[{number}]", varying=True)
        assign(machine, frame, part, item, span)  # type: ignore[arg-type]  # parts of a target are targets


def _part(whole: Unknown, key: str, bases: frozenset[int]) -> Unknown:
    part = whole.under(key)
    part.factor, part.terms = weight_of(whole), ()
    part.leaves, part.bases = frozenset((key,)), bases
    part.smooth = _smooth_part(whole, bases)
    return part


def _smooth_part(whole: Unknown, bases: frozenset[int]) -> frozenset[int]:
    """Of what a network returned, one part may have a graph and another none; of a tensor, each has what it has."""
    return bases if whole.smooth and whole.smooth == whole.bases else whole.smooth


def keep(machine: Machine, frame: Frame, target: Target, old: Value, new: Value, value: Value, span: Span) -> Value:
    """Note a loss that is added to something older than this iteration."""
    if isinstance(new, Unknown) and not new.detached and new.bases and not machine.gradients_off:
        site = (span.row, span.column)
        born = _born(machine, frame, target)
        detail = Kept(new.bases, site, _target_name(target), born, "+=", new.forwards, known=new.mean)
        detail = replace(detail, smooth=new.smooth, outputs=machine.outputs_of(new.smooth)) if new.smooth else detail
        machine.emit(Kind.KEEP, span, _target_name(target), "", detail)
        if isinstance(value, Unknown):
            value.kept |= {site}
    return value


def _born(machine: Machine, frame: Frame, target: Target) -> Stamp | None:
    if isinstance(target, Read):
        found = frame.find(target.name)
        return found.born.get(target.name) if found else None
    if isinstance(target, Attr):
        base = evaluate(machine, frame, target.base)
        return base.born.get(target.name, ()) if isinstance(base, Thing) else None
    if isinstance(target, Item) and isinstance(target.base, (Read, Attr)):
        return _born(machine, frame, target.base) or ()
    return ()


def _target_name(target: Target) -> str:
    if isinstance(target, Read):
        return target.name
    if isinstance(target, Attr):
        return target.name
    if isinstance(target, Item) and isinstance(target.base, (Read, Attr)):
        return f"{target.base.name}[...]"
    return "it"


# ------------------------------------------------------------------------------ iteration


def element_of(machine: Machine, source: Value) -> Value:
    """One element of an iterable that nobody can list."""
    if isinstance(source, Thing):
        if source.role in (Role.LOADER, None):
            return Unknown(f"{source.key}[*]", varying=True)
        return machine.thing(source.role, f"{source.key}[*]", source.origin)
    if isinstance(source, Parameters):
        return source
    if _are_entries(source):
        return _entry(source)
    one = Unknown(f"{key_of(source)}[*]", varying=True)
    if isinstance(source, Unknown) and source.logic is not None and source.logic[0] == "groups":
        one.logic = ("pieces", source.logic[1])
        machine.plan.chunked = True
    return one


def _are_entries(source: Value) -> TypeGuard[Unknown]:
    return isinstance(source, Unknown) and source.logic in (("values",), ("items",))


def _entry(source: Unknown) -> Value:
    """One of the losses that a model or a criterion returns in a dictionary, alone or with its name."""
    value = source.under(f"{source.key}[*]")
    value.varying, value.terms = True, ()
    value.leaves = frozenset((value.key,))
    name = Unknown(f"{source.key}[*].name", varying=True)
    return value if source.logic == ("values",) else Series([name, value], "tuple")


def iterate(machine: Machine, source: Value, node: For, counted: bool = False) -> list[Value]:
    """The items a `for` runs over: known ones, or as many as the loop's kind needs.

    `counted` says that an `enumerate` already numbers them.
    """
    if machine.preparing and node.gates & (Gate.BACKWARD | Gate.STEP):
        return []
    if isinstance(source, Series) and source.drawn is not None and not source.used:
        source.used = True
        return source.items * len(iterate(machine, source.drawn, node, counted))
    if isinstance(source, Series):
        _name_window(machine, source, node)
        return _known(machine, source, node)
    if isinstance(source, Table):
        keys = [key_value(key) for key in source.items if isinstance(key, (str, int, SomeKey))]
        return keys[: machine.plan.batches]
    if isinstance(source, Parameters):
        return [source] if source.consume() else []
    if isinstance(source, Unknown) and source.logic is not None:
        special = _composed(machine, source, node, counted)
        if special is not None:
            return special
    return [_element(machine, source, node, number, counted) for number in range(_count(machine, source, node))]


def _name_window(machine: Machine, source: Series, node: For) -> None:
    """`for _ in range(accumulation_steps)` says what it counts, a number or not."""
    counts = _RANGE.fullmatch(getattr(node.iterable, "text", "")) if node.kind is LoopKind.MICRO else None
    if counts and WINDOW_NAME.search(counts["name"]):
        machine.plan.named[counts["name"]] = len(source.items)


_RANGE = re.compile(r"""range\((?P<name>[\w.]+(?:\[['"][\w-]+['"]\])*)\)""")


def _composed(machine: Machine, source: Unknown, node: For, counted: bool) -> list[Value] | None:
    """Items of `enumerate`, `zip` and `range` over things that nobody can list."""
    assert source.logic is not None
    kind = source.logic[0]
    if kind == "enumerate":
        inner: Value = source.logic[1]  # type: ignore[assignment]  # logic tuples hold values
        first = _first_number(machine, source.logic[2])  # type: ignore[arg-type]  # as above
        items = iterate(machine, inner, node, counted=True)
        return [Series([first + number, item], "tuple") for number, item in enumerate(items)]
    if kind == "zip":
        sources: list[Value] = source.logic[1]  # type: ignore[assignment]  # as above
        columns = [iterate(machine, part, node, counted=True) for part in sources]
        if node.kind is LoopKind.BATCH:
            _has_length(machine, key_of(source))
            machine.count_batches(source)
        return [Series(list(row), "tuple") for row in zip(*columns, strict=False)]
    if kind == "stream":
        machine.pace.streaming = machine.pace.streaming or node.kind is LoopKind.BATCH
        inner = source.logic[1]  # type: ignore[assignment]  # as above
        return None if inner is None else iterate(machine, inner, node, counted)
    if kind == "numbers":
        numbers: Value = source.logic[1]  # type: ignore[assignment]  # as above
        items = iterate(machine, numbers, node, counted)
        return [_element(machine, source, node, number, counted) for number in range(len(items))]
    if kind == "islice":
        return _first_items(machine, source, node)
    if kind == "range":
        return _range(machine, source, _count(machine, source, node), counts=node.kind is LoopKind.MICRO)
    if kind == "pieces" and node.kind is LoopKind.MICRO:
        return _pieces(machine, source)
    return None


def _first_items(machine: Machine, source: Unknown, node: For) -> list[Value]:
    """`islice(stream, 8)`: as many as it says; over micro-batches these are a window."""
    assert source.logic is not None
    held: Value = source.logic[1]  # type: ignore[assignment]  # logic tuples hold values
    stop: Value = source.logic[2]  # type: ignore[assignment]  # as above
    if node.kind is LoopKind.MICRO and source.logic[3] is not None:
        if isinstance(stop, Unknown) and not stop.varying:
            machine.plan.bind_window(core(stop).key)
        elif isinstance(stop, int):
            machine.plan.widen(stop)
            _name_size(machine, source.logic[3], stop)
            machine.trail.truncated = machine.trail.truncated or stop > MAX_WINDOW
    items = iterate(machine, held, node, counted=True)
    return items[:stop] if isinstance(stop, int) else items


def _name_size(machine: Machine, written: object, size: int) -> None:
    """A window that is a number here may have a name in the source."""
    if isinstance(written, (Read, Attr)):
        machine.plan.named[written.name] = size


def _pieces(machine: Machine, source: Unknown) -> list[Value]:
    """`batch.chunk(4)`: as many as it says, or as a window has."""
    assert source.logic is not None
    count: Value = source.logic[1]  # type: ignore[assignment]  # logic tuples hold values
    if isinstance(count, Unknown) and not count.varying:
        machine.plan.bind_window(count.key)
    number = exact(count)
    size = int(number) if number is not None and 1 <= number <= MAX_WINDOW else machine.plan.window
    machine.trail.truncated = machine.trail.truncated or (number is not None and size != number)
    return [element_of(machine, source) for _ in range(size)]


def _first_number(machine: Machine, start: Value) -> int:
    number = exact(start)
    if number is not None:
        return int(number)
    if isinstance(start, Unknown):
        machine.plan.starts.add(start.key)
    return 0


def _known(machine: Machine, source: Series, node: For) -> list[Value]:
    if source.once and source.used:
        return []
    source.used = True
    items = source.items
    if node.kind is LoopKind.EPOCH:
        return items[: _STAGES if all(isinstance(item, (Series, Table)) for item in items) else 2]
    if node.kind is LoopKind.BATCH:
        return items if len(items) <= _EXACT else _sampled(items, machine.plan.window)
    if len(items) > MAX_WINDOW:
        machine.trail.truncated = machine.trail.truncated or node.kind is LoopKind.MICRO
    return items[:MAX_WINDOW] if node.kind is LoopKind.MICRO else items[: 2 * machine.plan.batches]


_STAGES = 4
"""So many stages of a training are run, each with settings of its own: `for window, rate in [(1, 0.1), (4, 0.01)]`."""
_EXACT = 48
"""So many known batches are all run."""


def _sampled(items: list[Value], window: int) -> list[Value]:
    """Of many batches two windows from the front, and from the end a ragged one."""
    return items[: 2 * window] + items[-(len(items) % window or window) :]


def _count(machine: Machine, source: Value, node: For) -> int:
    if node.kind is LoopKind.EPOCH:
        _has_length(machine, key_of(source), machine.plan.outer)
        return 2
    if node.kind is LoopKind.BATCH:
        _has_length(machine, key_of(source))
        machine.count_batches(source)
        return machine.plan.length(key_of(source))
    if node.kind is LoopKind.MICRO:
        if isinstance(source, Thing) and source.key in machine.plan.loaders:
            return machine.plan.length(source.key)  # what is a batch elsewhere is no more here
        cut = _PART.fullmatch(key_of(source))
        _has_length(machine, cut["whole"] if cut else key_of(source), machine.plan.groups)
        return len(_sliced(range(machine.plan.window), cut["ends"])) if cut else machine.plan.window
    return 1


_PART = re.compile(r"(?P<whole>.+)\[(?P<ends>-?\d*:-?\d*)\]")
"""`window[:-1]`: all micro-batches of a window but the last, which comes by itself."""


def _has_length(machine: Machine, key: str, among: set[str] | None = None) -> None:
    """What a loop runs over is as long as the loop; if its length was asked for before, once more with it."""
    (machine.plan.loaders if among is None else among).add(key)
    if key in machine.plan.measured:
        machine.plan.measured.discard(key)
        machine.restart()


def _range(machine: Machine, source: Unknown, count: int, *, counts: bool) -> list[Value]:
    assert source.logic is not None
    start: Value = source.logic[1]  # type: ignore[assignment]  # logic tuples hold values
    stop: Value = source.logic[2]  # type: ignore[assignment]  # as above
    learns = isinstance(stop, Unknown) and not stop.varying and start == 0 and (count > 1 or counts)
    times = _times(stop) if isinstance(stop, Unknown) and count == machine.plan.batches else 0
    if learns and isinstance(stop, Unknown) and stop.key not in machine.plan.bindings:
        machine.plan.bind_length(stop.key, count, times)
        if count == machine.plan.window:
            machine.plan.windows.add(stop.key)
        machine.restart()
    first = exact(start)
    base = int(first) if first is not None else 0
    return [base + number for number in range(machine.plan.cut(times) if times > 1 else count)]


def _times(number: Unknown) -> int:
    """What a whole number was multiplied by last: `rows // (size * accum) * accum`, `updates * accum`."""
    last = number.factor.parts[-1] if number.factor.parts else None
    return int(last.number) if last is not None and not last.divides and last.number.denominator == 1 else 1


def _element(machine: Machine, source: Value, node: For, number: int, counted: bool) -> Value:
    """An element of an unknown iterable; `for i, batch in progress(loader)` counts from 0."""
    target = node.target
    if counted or _is_loader(source) or _are_entries(source):
        return element_of(machine, source)
    if isinstance(target, Display) and len(target.items) == 2:
        first = target.items[0]
        if isinstance(first, Read) and INDEX_NAME.search(first.name):
            return Series([number, element_of(machine, source)], "tuple")
    counts = isinstance(target, Read) and INDEX_NAME.search(target.name) and target.name != "n"
    pieces = isinstance(source, Unknown) and source.logic is not None and source.logic[0] == "sized"
    if counts and isinstance(source, Unknown) and not pieces:
        return number
    return element_of(machine, source)


def _is_loader(source: Value) -> bool:
    return isinstance(source, Thing) and source.role is Role.LOADER


HANDLERS |= {
    Const: _const,
    Read: _read,
    Attr: _attr,
    Item: _item,
    Call: call,
    Arith: _arith,
    Test: _test,
    Logic: _logic,
    Not: _not,
    Choose: _choose,
    Display: _display,
    Dictionary: _mapping,
    Comprehension: _comprehension,
    Closure: _closure,
    Star: _star,
    Bind: _bind,
    Told: told_value,
    Opaque: _opaque,
}
