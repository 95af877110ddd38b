"""Statements of the dry run. A suite returns how it ended: normally, or with a jump."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from gradlint.interpret.arithmetic import bare, binary, named_divisor
from gradlint.interpret.dispatch import HANDLERS, evaluate
from gradlint.interpret.effects import write_gradients
from gradlint.interpret.evaluate import assign, iterate, keep, loop_over
from gradlint.interpret.frame import Frame
from gradlint.interpret.guards import Fact, choose, fact_of, learn_window, leaves_all_work, settled, truth
from gradlint.interpret.machine import Machine
from gradlint.interpret.modes import note_mode
from gradlint.interpret.plan import MAX_WINDOW, Stride
from gradlint.interpret.series import begin_anew
from gradlint.interpret.settings import held, merge_settings
from gradlint.interpret.steady import Steady
from gradlint.interpret.values import (
    Constructor,
    Context,
    Method,
    Module,
    Partial,
    Routine,
    Series,
    Thing,
    Unknown,
    Value,
    another,
    exact,
    is_number,
    key_of,
)
from gradlint.libraries.vocabulary import DTYPES, LOSS_NAME, SCALING, WINDOW_NAME
from gradlint.libraries.words import Words
from gradlint.model.events import Kind, Turn
from gradlint.model.finding import Span
from gradlint.model.program import (
    EVENTS,
    Arith,
    Assign,
    Attr,
    Augment,
    Break,
    Call,
    Choose,
    Class,
    Const,
    Continue,
    Define,
    Delete,
    Display,
    Do,
    Expr,
    For,
    Gate,
    If,
    Item,
    Logic,
    LoopKind,
    Not,
    ParameterLoop,
    Raise,
    Read,
    Return,
    Role,
    Star,
    Stmt,
    Test,
    Try,
    While,
    With,
)

_ONE = Const(1)
"""A window of one is a knob that is not turned: it is treated like an unknown number."""

NEXT, BREAK, CONTINUE, RETURN, STOP = range(5)


def run(machine: Machine, frame: Frame, body: Sequence[Stmt]) -> int:
    """Execute a suite."""
    depth = len(machine.guards)
    try:
        for statement in body:
            machine.tick()
            kind = statement.__class__
            ended = _HANDLERS[kind](machine, frame, statement)
            if ended:
                return ended
            if kind is If and machine.passed is not None:
                machine.guards.append(machine.passed)
    finally:
        del machine.guards[depth:]
    return NEXT


def _assign(machine: Machine, frame: Frame, node: Assign) -> int:
    if isinstance(node.target, (Read, Attr)):
        return _assign_one(machine, frame, node, node.target)
    pairs = _side_by_side(node)
    if pairs:
        return _assign_each(machine, frame, node, pairs)
    value = evaluate(machine, frame, node.value)
    _cut_off(machine, node.value, value)
    del machine.sizes[64:]
    machine.weigh(value)
    target, grows = node.target, isinstance(node.target, Item) and _grows(node.target, node.value)
    if isinstance(target, Item) and isinstance(value, Unknown) and (grows or _is_tensor(machine, frame, target.base)):
        value = keep(machine, frame, target, None, value, another(value), node.span)
    assign(machine, frame, target, value, node.span, fresh=not grows)
    return NEXT


def _cut_off(machine: Machine, node: Expr, value: Value) -> None:
    """What is computed under `no_grad` has no graph; another name for what was computed before keeps it."""
    if machine.contexts and value.__class__ is Unknown and machine.gradients_off:
        while isinstance(node, (Item, Attr)):
            node = node.base
        if not isinstance(node, Read):
            value.graphless = True


def _is_tensor(machine: Machine, frame: Frame, node: Expr) -> bool:
    """Whether items are set of a tensor that was made empty: `losses = torch.zeros(n)`, and `losses[i] = loss`.

    One of whole numbers, or a tensor's `data`, takes the number only.
    """
    base = evaluate(machine, frame, node) if isinstance(node, (Read, Attr)) else None
    return isinstance(base, Unknown) and _EMPTY.fullmatch(base.key) is not None


_EMPTY = re.compile(r"torch\.(?:zeros|empty|ones|full)\((?!.*(?:int|long|short|bool)).*\)")


def _side_by_side(node: Assign) -> list[tuple[Read | Attr, Expr]]:
    """The targets of `total, count = total + loss, count + 1` with their values; none where no sum grows."""
    if not isinstance(node.target, Display) or not isinstance(node.value, Display):
        return []
    targets, values = node.target.items, node.value.items
    pairs = [(one, value) for one, value in zip(targets, values, strict=False) if isinstance(one, (Read, Attr))]
    whole = len(targets) == len(values) == len(pairs) and not any(isinstance(value, Star) for value in values)
    return pairs if whole and any(_grows(one, value) for one, value in pairs) else []


def _assign_each(machine: Machine, frame: Frame, node: Assign, pairs: Sequence[tuple[Read | Attr, Expr]]) -> int:
    """All values first, then all targets; a sum keeps its loss as it does in a statement of its own."""
    values = [evaluate(machine, frame, value) for _, value in pairs]
    del machine.sizes[64:]
    for (target, written), value in zip(pairs, values, strict=True):
        grows = _grows(target, written)
        kept = value
        if grows and isinstance(value, Unknown):
            kept = keep(machine, frame, target, evaluate(machine, frame, target), value, another(value), node.span)
        machine.weigh(kept)
        assign(machine, frame, target, kept, node.span, fresh=not grows)
    return NEXT


def _grows(target: Read | Attr | Item, value: Expr) -> bool:
    return value.__class__ in (Arith, Choose) and _adds_to_itself(target, value)


def _assign_one(machine: Machine, frame: Frame, node: Assign, target: Read | Attr) -> int:
    shape = node.value.__class__
    if shape is Attr:
        note_mode(machine, node)
    if shape is not Call:
        sizes = windows_in(machine, frame, node.value)
        if sizes:
            machine.moduli[target.name] = max(sizes)
    before = len(machine.sizes)
    value = HANDLERS[node.value.__class__](machine, frame, node.value)
    _cut_off(machine, node.value, value)
    if machine.pace.sampled:
        _note_restart(machine, node, value)
    if len(machine.sizes) > before and isinstance(value, bool):
        machine.moduli[target.name] = max(machine.sizes[before:])
    del machine.sizes[64:]
    if shape is Const and node.value == _ONE and WINDOW_NAME.search(target.name):
        value = machine.unknown(target.name)
    if shape is Call and value.__class__ is Unknown and value.varying and _taken_once(machine, node.value):
        value = machine.unknown(value.key)
    grows = _grows(target, node.value)
    if grows and isinstance(value, Unknown):
        old = evaluate(machine, frame, target)
        value = keep(machine, frame, target, old, value, another(value), node.span)
    if shape is Display and isinstance(value, Series):
        grows = _grow_inside(machine, frame, node, target, value)
    machine.weigh(value)
    assign(machine, frame, target, value, node.span, fresh=not grows)
    return NEXT


def _grow_inside(machine: Machine, frame: Frame, node: Assign, target: Read | Attr, value: Series) -> bool:
    """`mean = (0.99 * mean[0] + loss, 0.99 * mean[1] + 1)`: whether parts of a pair grow, which keep their losses."""
    parts = node.value.items if isinstance(node.value, Display) else ()
    grown = False
    for number, (part, item) in enumerate(zip(parts, value.items, strict=False)):
        if isinstance(part, Arith) and _adds_to_itself(target, part, number):
            grown = True
            if isinstance(item, Unknown):
                value.items[number] = keep(machine, frame, target, None, item, another(item), node.span)
    return grown


def _taken_once(machine: Machine, call: Expr) -> bool:
    """`step = int(path.split("-")[1])` outside of all loops: a number that stays what it is while these go on."""
    whole = isinstance(call, Call) and isinstance(call.func, Read) and call.func.name == "int"
    return whole and all(turn.kind == "call" for turn in machine.turns)


def _adds_to_itself(target: Read | Attr | Item, node: Expr, part: int | None = None) -> bool:
    """`total = total + loss`, `smooth = loss if smooth is None else 0.9 * smooth + 0.1 * loss`; or a `part` does so."""
    if isinstance(node, Choose):
        return _adds_to_itself(target, node.then, part) or _adds_to_itself(target, node.other, part)
    if not isinstance(node, Arith) or node.op != "+":
        return False
    sides = [node.left, node.right]
    while sides:
        side = sides.pop()
        if _same(side, target) if part is None else _same_part(side, target, part):
            return True
        if isinstance(side, Arith) and side.op in ("*", "+"):
            sides += [side.left, side.right]
    return False


def _same_part(one: Expr, whole: Expr, part: int) -> bool:
    return isinstance(one, Item) and one.index == Const(part) and _same(one.base, whole)


def _same(one: Expr, other: Expr) -> bool:
    """Whether two expressions name the same variable, attribute or item; `sums.get("loss", 0)` is `sums["loss"]`."""
    if isinstance(one, Read) and isinstance(other, Read):
        return one.name == other.name
    if isinstance(other, Item):
        one = _got(one)
        return isinstance(one, Item) and one.index == other.index and _same(one.base, other.base)
    return isinstance(one, Attr) and isinstance(other, Attr) and one.name == other.name and _same(one.base, other.base)


def _got(node: Expr) -> Expr:
    if isinstance(node, Call) and isinstance(node.func, Attr) and node.func.name == "get" and node.args:
        return Item(node.func.base, node.args[0])
    return node


def _augment(machine: Machine, frame: Frame, node: Augment) -> int:
    old = evaluate(machine, frame, node.target)
    new = evaluate(machine, frame, node.value)
    if node.op == "+" and is_number(old):
        new = machine.samples_in(new)
    if node.op == "+" and isinstance(old, Unknown) and is_number(new):
        machine.counted.update(old.leaves if " * " not in old.key else ())  # a size that a count began with is none
    value = binary(machine, node.op, old, new, bare(node.value))
    if node.op == "/" and isinstance(value, Unknown) and isinstance(old, Unknown) and is_number(new):
        value = named_divisor(value, old, node.value)
    if node.op in SCALING.values() and isinstance(value, Unknown) and isinstance(old, Unknown) and old.bases:
        value = old.become(value)
    if node.op == "+":
        value = keep(machine, frame, node.target, old, new, value, node.span)
    counted = node.op in ("+", "-") and isinstance(old, Unknown) and is_number(new)
    if counted and isinstance(value, Unknown) and value is not old:
        value.logic = ("moved", old)
    if node.op == "+":
        value = _count_samples(machine, old, new, value)
    elif node.op == "-" and machine.plan.samples:
        value = _begin_again(machine, old, value)
    machine.weigh(value)
    assign(machine, frame, node.target, value, node.span, fresh=False)
    return NEXT


def _count_samples(machine: Machine, old: Value, new: Value, value: Value) -> Value:
    """A counter that every batch adds its samples to: how many times it did is what counts to a window."""
    if is_number(old) and isinstance(new, int) and not isinstance(new, bool) and new > 1 and machine.working:
        machine.pace.strides.add(new)
    if not isinstance(new, Unknown) or not isinstance(value, Unknown) or new.bases:
        return value
    if new.varying and new.measures is None and LOSS_NAME.search(new.key):
        return value
    if old == 0 and is_number(old):
        times = 1
    elif isinstance(old, Unknown) and old.logic is not None and old.logic[0] == "samples":
        times = int(str(old.logic[1])) + 1
    else:
        return value
    value = value.under(value.key)
    value.logic = ("samples", times, new)
    return value


def _begin_again(machine: Machine, old: Value, value: Value) -> Value:
    """`seen -= virtual_batch_size`: the counter of samples keeps what is more than a window."""
    if not isinstance(old, Unknown) or old.logic is None or old.logic[0] != "samples":
        return value
    times = int(str(old.logic[1])) - machine.plan.window
    if times <= 0:
        return 0
    rest = old.under(old.key)
    rest.logic = ("samples", times, old.logic[2])
    return rest


def windows_in(machine: Machine, frame: Frame, node: Expr) -> list[int]:
    """The sizes that the moduli and counter comparisons of a test show, where they are numbers."""
    if isinstance(node, (Read, Attr)):
        size = machine.moduli.get(node.name)
        return [size] if size else []
    if isinstance(node, Not):
        return windows_in(machine, frame, node.value)
    if isinstance(node, Logic):
        return [size for part in node.parts for size in windows_in(machine, frame, part)]
    if isinstance(node, Test) and not isinstance(node.left, (Test, Logic)):
        found = windows_in(machine, frame, node.left)
        counts = (
            node.op in ("==", ">=")
            and isinstance(node.left, (Read, Attr))
            and isinstance(node.right, (Const, Read, Attr))
        )
        side = node.left if isinstance(node.left, (Read, Attr)) and WINDOW_NAME.search(node.left.name) else node.right
        return found or windows_in(machine, frame, node.right) or (_size(machine, frame, side) if counts else [])
    if isinstance(node, Arith) and node.op == "%":
        return _size(machine, frame, node.right)
    if isinstance(node, Arith) and node.op in ("+", "-"):
        return [size for side in (node.left, node.right) for size in windows_in(machine, frame, side)]
    return []


def _size(machine: Machine, frame: Frame, node: Expr) -> list[int]:
    value = evaluate(machine, frame, node)
    if machine.plan.is_end(value):
        machine.plan.stretch()
        return []
    value = machine.in_batches(value) if isinstance(value, int) else value
    return [value] if isinstance(value, int) and not isinstance(value, bool) and 2 <= value <= MAX_WINDOW else []


def _do(machine: Machine, frame: Frame, node: Do) -> int:
    machine.doing = node.value
    HANDLERS[node.value.__class__](machine, frame, node.value)
    return NEXT


def _if(machine: Machine, frame: Frame, node: If) -> int:
    sized, numbers = len(machine.sizes), len(machine.numbers)
    machine.recalled.clear()
    value = HANDLERS[node.test.__class__](machine, frame, node.test)
    machine.decides(value)
    known = truth(value)
    fact = fact_of(machine, node)
    if machine.recalled and fact.makes:
        machine.recall(fact.priority)
    elif machine.recalled and fact.leaves and known and leaves_all_work(machine):
        machine.recall(2)
    known = _later(machine, frame, node, fact, known)
    decided = known is not None
    machine.plan.phased = machine.plan.phased or fact.phased
    if fact.idle:
        del machine.numbers[numbers:]
    counts = False
    if fact.closes and not machine.preparing:
        sizes = (*windows_in(machine, frame, node.test), *machine.sizes[sized:])
        for size in sizes:
            machine.plan.widen(size, node.span)
        counts = not decided and machine.plan.window in sizes
        if known and "%" in node.text:
            _note_shift(machine, sizes)
    either = fact.either if not decided and fact.either and settled(machine, value) is None else ()
    before = held(machine, frame, fact.settings) if fact.settings and not decided else []
    fresh = {} if decided else _numbers(frame, fact.resumes)
    taken = choose(machine, node, value) if known is None else known
    if decided and fact.refuses is taken:
        for name in _divided(node.test):
            machine.plan.enlarge(name)
        machine.plan.refuse(node.span, divides="%" in node.text)
        machine.plan.ended = True
        taken = taken is not machine.plan.presses  # on behind it, where all runs have ended so
    if fact.revives and not (isinstance(value, Unknown) and value.varying):
        _spare(machine, frame, fact.revives[1 if taken else 0])
    machine.guards.append(fact.around(taken, decided, counts))
    try:
        return run(machine, frame, node.then if taken else node.other)
    finally:
        machine.guards.pop()
        machine.passed = fact.behind(taken, decided) if fact.jumps else None
        _join(machine, frame, either, fresh)
        if before:
            merge_settings(machine, frame, before, value)


def _note_shift(machine: Machine, sizes: Sequence[int]) -> None:
    """`if i % accum == 0`, true one batch behind a window: a loader of two windows and one leaves no rest."""
    turn = machine.turns[-1] if machine.turns else None
    window = machine.plan.window
    if window > 2 and window in sizes and turn is not None and turn.kind == "batch" and turn.number == window:
        machine.plan.shifted = True


def _later(machine: Machine, frame: Frame, node: If, fact: Fact, known: bool | None) -> bool | None:
    """What is known of a guard, or what is so later than the dry run looks."""
    if known is False and fact.rare is not None and machine.turns:
        if machine.turns[-1].kind == "epoch":
            return machine.turns[-1].number == 0  # one of many epochs, and others follow
        if machine.working and _too_long(machine, frame, fact.rare):
            return machine.turn_of(node.span, apart=fact.probes)
    if known is True and fact.until is not None and machine.working and _too_long(machine, frame, fact.until):
        return not machine.turn_of(node.span, apart=True)
    return known


def _divided(test: Expr) -> Iterator[str]:
    """What has to be a multiple of something: `log_step` in `log_step % accum == 0`."""
    if isinstance(test, Not):
        yield from _divided(test.value)
    elif isinstance(test, Logic):
        for part in test.parts:
            yield from _divided(part)
    elif isinstance(test, Test):
        yield from _divided(test.left)
    elif isinstance(test, Arith) and test.op == "%" and isinstance(test.left, (Read, Attr)):
        yield test.left.name


def _spare(machine: Machine, frame: Frame, left_out: tuple[Expr, ...]) -> None:
    """Note the models that a switch keeps in the mode that they are in."""
    for node in left_out:
        model = evaluate(machine, frame, node)
        if isinstance(model, Thing):
            machine.trail.spared.append((len(machine.trail.events), model.root))


def _too_long(machine: Machine, frame: Frame, period: Expr) -> bool:
    """Whether the dry run ends before a count gets there."""
    number = evaluate(machine, frame, period)
    return isinstance(number, int) and number > machine.plan.batches


def _join(machine: Machine, frame: Frame, either: Iterable[str], fresh: Mapping[str, int]) -> None:
    """What is known behind a guard that nobody can compute; a run that is not resumed counts on from its number."""
    for name in either:
        _blur(machine, frame, name)
    for name, number in fresh.items():
        if exact(frame.values.get(name)) is None:
            frame.values[name] = number


def _numbers(frame: Frame, names: frozenset[str]) -> dict[str, int]:
    """Where counters stand before a guard that may set them to what a checkpoint says."""
    found = {name: frame.values.get(name) for name in names & frame.function.counters}
    return {name: value for name, value in found.items() if type(value) is int}


def _blur(machine: Machine, frame: Frame, name: str) -> None:
    """`dtype = bfloat16 if bf16 else float16`, written as a guard: it is one of them, and nobody knows which."""
    value = frame.values.get(name)
    if isinstance(value, Module) and value.name.rsplit(".", 1)[-1] in DTYPES:
        frame.values[name] = machine.unknown(name)


def _for(machine: Machine, frame: Frame, node: For) -> int:
    iterable = evaluate(machine, frame, node.iterable)
    items = iterate(machine, iterable, node)
    if not items and Gate.BACKWARD in node.gates:
        machine.plan.ended = True
        if machine.plan.presses:
            iterable = machine.unknown(getattr(node.iterable, "text", "") or "items")
            items = iterate(machine, iterable, node)
    if node.kind is LoopKind.MICRO and _is_cut(node, iterable):
        machine.plan.chunked = True
    batches = node.kind is LoopKind.EPOCH and _is_loader(iterable)
    if len(items) > 1 and (batches or node.kind in (LoopKind.BATCH, LoopKind.MICRO)):
        _note_epoch(machine, iterable, node)
    stride, left_open = _stride(machine, node, iterable), _left_open(machine, iterable)
    if stride is None and not left_open:
        return _turns(machine, frame, node, _bound(machine, frame, node, items), batches)
    before = list(machine.contexts)
    machine.contexts += left_open
    machine.pace.cuts += [stride] if stride else []
    try:
        return _turns(machine, frame, node, _bound(machine, frame, node, items), batches)
    finally:
        machine.contexts[:] = before
        if stride:
            machine.pace.cuts.pop()


def _left_open(machine: Machine, source: Value) -> Sequence[Context]:
    """The contexts in which a generator of the file has stopped, when a loop works on what it gives."""
    while isinstance(source, Unknown) and source.logic is not None and source.logic[0] == "enumerate":
        source = source.logic[1]  # type: ignore[assignment]  # logic tuples hold values
    return machine.pace.within.get(source, ()) if isinstance(source, Unknown) else ()


def _stride(machine: Machine, node: For, source: Value) -> Stride | None:
    """`for i in range(0, n, size)` over micro-batches, of an `n` that nobody knows."""
    if node.kind is not LoopKind.MICRO or not isinstance(source, Unknown) or not isinstance(node.target, Read):
        return None
    kind, *parts = source.logic or ("",)
    if kind != "range" or parts[2] is None or not isinstance(parts[1], Unknown):
        return None
    size: Value = parts[2]  # type: ignore[assignment]  # logic tuples hold values
    return Stride(node.target.name, key_of(size), parts[1].key, len(machine.last_turn))


_CHUNKS = Words(
    r"\bzip\(.*\.(split|chunk)\([^,()]*\).*\.(split|chunk)\([^,()]*\)"
    r"|\bzip\(.*torch\.(split|chunk)\([^,()]+,[^,()]+\).*torch\.(split|chunk)\([^,()]+,[^,()]+\)"
)
"""Inputs and targets of one batch, cut into as many pieces: micro-batches, whatever they are called."""


def _is_cut(node: For, source: Value) -> bool:
    """Whether a loop runs over the pieces of one batch, cut here or by a helper."""
    here = getattr(node.iterable, "text", "")
    if not isinstance(source, Unknown):
        return bool(_CHUNKS.search(here))
    return bool(_CHUNKS.search(here) or _CHUNKS.search(source.key)) or _strides(source)


def _strides(source: Unknown) -> bool:
    """Whether a range, or a list made from one, goes through the samples of a batch piece by piece."""
    kind, *parts = source.logic or ("",)
    if kind in ("listed", "enumerate"):
        return isinstance(parts[0], Unknown) and _strides(parts[0])
    if kind != "range" or parts[2] in (None, 1):
        return False
    stop = parts[1]
    return isinstance(stop, Unknown) and (stop.measures is not None or bool(_SAMPLES.search(stop.key)))


_SAMPLES = Words(r"(?i)batch|samples|(^|_|\.)bs$|^n$")
"""What the number of samples in a batch is called, where it was not asked of the batch itself."""


def _is_loader(source: Value) -> bool:
    """A loop over a loader counts batches, also when it holds another loop with steps."""
    while isinstance(source, Unknown) and source.logic is not None and source.logic[0] == "enumerate":
        source = source.logic[1]  # type: ignore[assignment]  # logic tuples hold values
    return isinstance(source, Thing) and source.role is Role.LOADER


def _note_epoch(machine: Machine, source: Value, node: For) -> None:
    """A pass over a loader whose distributed sampler shuffles."""
    if isinstance(source, Series) and source.drawn is not None:
        _note_epoch(machine, source.drawn, node)
        return
    while isinstance(source, Unknown) and source.logic is not None and source.logic[0] in _DRAWING:
        parts: Value | list[Value] = source.logic[1]  # type: ignore[assignment]  # logic tuples hold values
        if isinstance(parts, list):
            for part in parts:
                _note_epoch(machine, part, node)
            return
        source = parts
    _note_pass(machine, source, machine.heads[0] if machine.heads else node.span)


def _note_pass(machine: Machine, source: Value, span: Span) -> None:
    if not isinstance(source, Thing) or source.role is not Role.LOADER or source.framework:
        return
    sampler = source.extra.get("sampler")
    if not isinstance(sampler, Thing) or sampler.role is not Role.SAMPLER or sampler.origin != "made":
        return
    if sampler.library in ("", "torch") and truth(sampler.extra.get("shuffle", True)) is not False:
        machine.emit(Kind.EPOCH, span, sampler.key, source.key)


_DRAWING = frozenset({"enumerate", "zip", "islice"})
"""What takes its items from something else, from its beginning."""


def _bound(machine: Machine, frame: Frame, node: For, items: list[Value]) -> Iterator[bool]:
    for number, item in enumerate(items):
        loop_over(machine, frame, node.target, item, node.span)
        yield number == len(items) - 1


def _while(machine: Machine, frame: Frame, node: While) -> int:
    if machine.preparing and node.gates & (EVENTS | Gate.FORWARD):
        return NEXT
    return _turns(machine, frame, node, _tested(machine, frame, node))


def _tested(machine: Machine, frame: Frame, node: While) -> Iterator[bool]:
    count = _length(machine, node.kind)
    for number in range(count):
        value = evaluate(machine, frame, node.test)
        known = truth(value)
        if node.kind is LoopKind.BATCH and known is not False and not node.drains and _has_no_end(node.test, value):
            machine.pace.streaming = True
        if known is None and node.kind is LoopKind.MICRO:
            learn_window(machine, value, "accum")
            machine.trail.open_loops.add(node.ident)
        if known is False:
            return
        yield number == count - 1
    if truth(evaluate(machine, frame, node.test)) is True and node.kind is LoopKind.MICRO:
        machine.trail.open_loops.add(node.ident)  # it is cut off, and would go on


def _has_no_end(test: Expr, value: Value) -> bool:
    """Whether a loop runs for ever, or up to a limit that is no loader's length: it is no epoch."""
    if isinstance(test, Const):
        return True
    limited = isinstance(value, Unknown) and value.logic is not None and value.logic[0] == "cmp"
    return isinstance(test, Test) and test.op in _LIMITS and (limited or isinstance(test.right, Const))


_LIMITS = frozenset({"<", "<=", ">", ">=", "!="})


def _length(machine: Machine, kind: LoopKind) -> int:
    if kind is LoopKind.EPOCH:
        return 2
    if kind is LoopKind.BATCH:
        return machine.plan.batches
    return machine.plan.window if kind is LoopKind.MICRO else 1


def _turns(machine: Machine, frame: Frame, node: For | While, turns: Iterator[bool], batches: bool = False) -> int:
    depth = len(machine.guards)
    kind = "batch" if batches else node.kind.value
    steady = Steady(machine) if node.kind is LoopKind.BATCH and not machine.plan.every_turn else None
    for number, last in enumerate(turns):
        if steady is not None and steady.reached():
            break
        machine.turns.append(Turn(node.ident, number, kind))
        machine.last_turn.append(last)
        machine.heads.append(node.span)
        try:
            ended = run(machine, frame, node.body)
        finally:
            machine.turns.pop()
            machine.last_turn.pop()
            machine.heads.pop()
            del machine.guards[depth:]
        if node.kind in (LoopKind.BATCH, LoopKind.MICRO) and Gate.LOOP_BACKWARD not in _body_gates(node):
            machine.iterations += 1
        if ended == BREAK:
            return NEXT
        if ended in (RETURN, STOP):
            return ended
    return run(machine, frame, node.other)


def _body_gates(node: For | While) -> Gate:
    """What the body's own statements gate: an inner loop shows, the loop itself does not."""
    gates = Gate.NOTHING
    for statement in node.body:
        gates |= statement.gates
    return gates


def _with(machine: Machine, frame: Frame, node: With) -> int:
    before = list(machine.contexts)
    generators: list[Partial] = []
    for expr, target in node.items:
        machine.entering = expr
        value = evaluate(machine, frame, expr)
        if isinstance(value, Context) and isinstance(value.value, Partial):
            generators.append(value.value)
        if isinstance(value, Unknown) and _may_sync(machine, frame, expr, value):
            value = Context("may_sync")
        entered = enter(machine, value)
        if target is not None:
            assign(machine, frame, target, entered, node.span)
    try:
        return run(machine, frame, node.body)
    finally:
        machine.contexts[:] = [context for context in machine.contexts if context in before]
        for made in reversed(generators):
            leave_generator(machine, made)


def _may_sync(machine: Machine, frame: Frame, node: Expr, value: Unknown) -> bool:
    """Somebody else's context may well be `no_sync` inside, where its text says so or it is handed one."""
    if "sync" in value.key:
        return True
    names = [part.value if isinstance(part, Star) else part for part in node.args] if isinstance(node, Call) else []
    homes = [(name.name, frame.find(name.name)) for name in names if isinstance(name, Read)]
    held = [home.values[name] for name, home in homes if home is not None]
    items = [item for one in held for item in (one.items if isinstance(one, Series) else [one])]
    return any("no_sync" in key_of(item) for item in items if isinstance(item, (Method, Unknown)))


def enter(machine: Machine, value: Value) -> Value:
    """Enter a context; what `as` binds is returned."""
    if isinstance(value, Context):
        machine.contexts.append(value)
        if value.kind == "accumulate":
            machine.accumulated += 1
        if value.kind == "stack":
            return value
        if value.kind == "generator" and isinstance(value.value, Partial):
            return _enter_generator(machine, value.value)
        return value.value
    return value


def leave_generator(machine: Machine, made: Partial) -> None:
    """Run what a `@contextmanager` function does after its `yield`."""
    from gradlint.interpret.calls import resume_generator

    resume_generator(machine, made)


def _enter_generator(machine: Machine, made: Partial) -> Value:
    """A `@contextmanager` function: run it up to its `yield` and stay in what it entered."""
    from gradlint.interpret.calls import enter_generator

    before = len(machine.contexts)
    machine.contexts[before:] = enter_generator(machine, made)[before:]
    return None


def _try(machine: Machine, frame: Frame, node: Try) -> int:
    ended = run(machine, frame, node.body)
    if ended == NEXT:
        ended = run(machine, frame, node.other)
    if node.ended and machine.working and machine.pace.sampled:
        _restart(machine, frame, node)
    final = run(machine, frame, node.final) if ended != STOP else NEXT
    return final or ended


def _restart(machine: Machine, frame: Frame, node: Try) -> None:
    """What handles the end of an iterator, for the passes that it begins; all else is as if it had not come so far."""
    events = machine.trail.events
    before, values = len(events), dict(frame.values)
    owner = values.get("self")
    held = dict(owner.attrs) if isinstance(owner, Thing) else {}
    run(machine, frame, node.ended)
    frame.values = values
    if isinstance(owner, Thing):
        owner.attrs = held
    passes = [event for event in events[before:] if event.kind in (Kind.EPOCH, Kind.SET_EPOCH)]
    events[before:] = [replace(event, number=number) for number, event in enumerate(passes, before)]


def _note_restart(machine: Machine, node: Assign, value: Value) -> None:
    """`batches = iter(loader)` in a loop over batches: another pass over the loader begins."""
    call = node.value
    if isinstance(call, Call) and isinstance(call.func, Read) and call.func.name == "iter" and machine.working:
        _note_pass(machine, value, node.span)


def _parameter_loop(machine: Machine, frame: Frame, node: ParameterLoop) -> int:
    write_gradients(machine, frame, node)
    return NEXT


def _return(machine: Machine, frame: Frame, node: Return) -> int:
    frame.result = None if node.value is None else evaluate(machine, frame, node.value)
    return RETURN


def _define(machine: Machine, frame: Frame, node: Define) -> int:
    value: Value = Constructor(node.value) if isinstance(node.value, Class) else Routine(node.value, frame)
    frame.values[node.name] = value
    return NEXT


def _delete(machine: Machine, frame: Frame, node: Delete) -> int:
    if isinstance(node.target, Read):
        frame.values.pop(node.target.name, None)
    elif isinstance(node.target, Item):
        begin_anew(machine, frame, node.target.base)
    return NEXT


def _break(machine: Machine, frame: Frame, node: Break) -> int:
    return BREAK


def _continue(machine: Machine, frame: Frame, node: Continue) -> int:
    return CONTINUE


def _raise(machine: Machine, frame: Frame, node: Raise) -> int:
    return STOP


_HANDLERS: dict[type, Callable[[Machine, Frame, Any], int]] = {
    Assign: _assign,
    Augment: _augment,
    Do: _do,
    If: _if,
    For: _for,
    While: _while,
    With: _with,
    Try: _try,
    ParameterLoop: _parameter_loop,
    Return: _return,
    Break: _break,
    Continue: _continue,
    Raise: _raise,
    Define: _define,
    Delete: _delete,
}
