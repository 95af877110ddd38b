"""Loops: their iterations, what they go over, when they end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gradlint.interpret.aside import aside
from gradlint.interpret.assignment import loop_over
from gradlint.interpret.atoms import truth
from gradlint.interpret.comprehensions import empty_lists, made_long
from gradlint.interpret.conditions import Compare
from gradlint.interpret.dispatch import BREAK, NEXT, RETURN, STOP, Statements, evaluate, run
from gradlint.interpret.filled import gone_over
from gradlint.interpret.frame import Frame
from gradlint.interpret.generators import acting, generated, in_step
from gradlint.interpret.iteration import has_turns, iterate, yielded
from gradlint.interpret.limits import dotted, is_counting
from gradlint.interpret.lineage import method_of
from gradlint.interpret.machine import Machine
from gradlint.interpret.plan import Plan, Stride
from gradlint.interpret.sequences import Backwards, Enumerate, Listed, Range, Slice, Zip, without_numbers
from gradlint.interpret.shuffled import note_pass
from gradlint.interpret.state.course import Course
from gradlint.interpret.steady import Steady
from gradlint.interpret.traits import form_of, key_of
from gradlint.interpret.values import Context, Series, Tracked, Unknown, Value, shortened
from gradlint.interpret.windows import learn_window
from gradlint.interpret.witnessing import taken
from gradlint.libraries.conventions.numbers import SAMPLES_NAME
from gradlint.model.effects import EVENTS, Gate
from gradlint.model.events import Iteration
from gradlint.model.pattern import pattern
from gradlint.model.program import Attr, Const, Display, Expr, For, LoopKind, Read, Test, While
from gradlint.model.roles import Role


def _for(machine: Machine, frame: Frame, node: For) -> int:
    iterable = gone_over(machine, frame, _filled(machine, node, evaluate(machine, frame, node.iterable)), node)
    made = acting(machine, iterable) if not machine.stack.preparing else None
    if made is not None:
        return generated(machine, frame, node, iterable, made)
    items = iterate(machine, iterable, node)
    if not items and Gate.BACKWARD in node.gates:
        machine.plan.tries.ended = True
        if machine.plan.tries.presses:
            iterable = machine.unknown(getattr(node.iterable, "text", "") or "items")
            items = iterate(machine, iterable, node)
    if node.kind is LoopKind.MICRO and _is_cut(node, iterable):
        machine.plan.marks.chunked = True
    batches = node.kind is LoopKind.EPOCH and _is_loader(iterable)
    yields = bool(machine.contexts.consumers) and _is_loader(iterable)
    if len(items) > 1 and (batches or yields or node.kind in (LoopKind.BATCH, LoopKind.MICRO)):
        _note_epoch(machine, iterable, node)
    stride, left_open = _stride(machine.course, node, iterable), _left_open(machine.course, iterable)
    empty = empty_lists(frame, iterable) if node.kind is LoopKind.OTHER else ()
    if stride is None and not left_open:
        ended = _iterations(machine, frame, node, _bound(machine, frame, node, items, iterable), batches)
        made_long(frame, empty, iterable)
        return ended
    before = list(machine.contexts.entered)
    machine.contexts.entered += left_open
    machine.course.cuts += [stride] if stride else []
    try:
        return _iterations(machine, frame, node, _bound(machine, frame, node, items, iterable), batches)
    finally:
        machine.contexts.entered[:] = before
        if stride:
            machine.course.cuts.pop()


def _filled(machine: Machine, node: For, source: Value) -> Value:
    """What a loop goes over: `self.rewards = None` in `__init__` is filled by then, or it would not begin."""
    text = getattr(node.iterable, "text", "") or dotted(node.iterable) or "items"
    return machine.unknown(text, varying=True) if source is None else source


def _left_open(course: Course, source: Value) -> Sequence[Context]:
    """The contexts in which a generator of the file has stopped, when a loop works on what it gives."""
    source = without_numbers(source)
    return course.within.get(source, ()) if isinstance(source, Unknown) else ()


def _stride(course: Course, node: For, source: Value) -> Stride | None:
    """`for i in range(0, n, size)` over micro-batches, of an `n` that nobody knows; `range(turns)` of an output."""
    if not isinstance(source, Unknown):
        return None
    counter = _counter(node, source)
    if counter is not None:
        return Stride(counter[0], "1", counter[1], len(course.last))
    if not isinstance(node.target, Read):
        return None
    form = source.form
    if has_turns(node, source) and isinstance(form, Range) and isinstance(form.stop, Unknown):
        return Stride(node.target.name, "1", form.stop.key, len(course.last))
    if node.kind is not LoopKind.MICRO:
        return None
    if not isinstance(form, Range) or form.step is None or not isinstance(form.stop, Unknown):
        return None
    return Stride(node.target.name, key_of(form.step), form.stop.key, len(course.last))


def _counter(node: For, source: Unknown) -> tuple[str, str] | None:
    """What counts the turns of a loop with backwards, and the key of how many there are where that gets no number.

    for i in range(rows // size)                        i, of `rows // size`
    for i, start in enumerate(range(0, rows, size))     the same
    """
    target: Expr = node.target
    numbers = source.form
    if isinstance(numbers, Enumerate) and numbers.start == 0 and isinstance(target, Display) and target.items:
        target, numbers = target.items[0], form_of(numbers.source)
    known = Gate.BACKWARD not in node.gates or node.kind is LoopKind.BATCH
    if known or not isinstance(target, Read) or not isinstance(numbers, Range) or numbers.start != 0:
        return None
    stop, step = numbers.stop, numbers.step
    if not isinstance(stop, Unknown) or not stop.varying:
        return None
    if isinstance(source.form, Range):
        return (target.name, stop.key) if step in (None, 1) else None
    return target.name, stop.key if step in (None, 1) else shortened(f"({stop.key} // {key_of(step)})")


_CHUNKS = pattern(
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


def _strides(source: Value) -> bool:
    """Whether a range, or a list made from one, goes through the samples of a batch piece by piece."""
    match form_of(source):
        case Listed(held) | Enumerate(held) | Backwards(held):
            return _strides(held)
        case Range(stop=Unknown() as stop, step=step) if step not in (None, 1):
            return stop.data.measures is not None or bool(SAMPLES_NAME.search(stop.key))
    return False


def _is_loader(source: Value) -> bool:
    """A loop over a loader counts batches, also when it holds another loop with steps."""
    source = without_numbers(source)
    return isinstance(source, Tracked) and source.role is Role.LOADER


def _note_epoch(machine: Machine, source: Value, node: For) -> None:
    """A pass over a loader whose distributed sampler shuffles."""
    if isinstance(source, Series) and source.drawn is not None:
        _note_epoch(machine, source.drawn, node)
        return
    match form_of(source):
        case Zip(parts):
            for part in parts:
                _note_epoch(machine, part, node)
        case Enumerate(held) | Backwards(held) | Slice(held):
            _note_epoch(machine, held, node)
        case _:
            span = None if machine.course.heads else node.span
            note_pass(machine, _drawn_from(machine, source), span, within="" if span else _held_as(machine, node))


def _held_as(machine: Machine, node: For) -> str:
    """Where an object that is gone through has the loader that it goes through: `for batch in self.loader`."""
    source = node.iterable
    own = isinstance(source, Attr) and isinstance(source.base, Read) and source.base.name == "self"
    return source.name if own and isinstance(source, Attr) and machine.stack.function.endswith("__iter__") else ""


def _drawn_from(machine: Machine, source: Value) -> Value:
    """The only loader that an iterator of the project's own holds: what it is asked for comes from there."""
    if not isinstance(source, Tracked) or source.cls is None or source.role is Role.LOADER:
        return source
    found = [method_of(machine.program, source.cls, name) for name in ("__iter__", "__next__")]
    if any(one is None or one[0].gates & EVENTS for one in found):  # it may tell the sampler by itself
        return source
    loaders = [held for held in source.attrs.values() if isinstance(held, Tracked) and held.role is Role.LOADER]
    return loaders[0] if len(loaders) == 1 else source


def _bound(machine: Machine, frame: Frame, node: For, items: list[Value], source: Value) -> Iterator[bool]:
    for number, item in enumerate(items):
        if machine.witnessed.on:
            taken(machine, source, item, number, len(items))
        loop_over(machine, frame, node.target, item, node.span)
        yield number == len(items) - 1


def _while(machine: Machine, frame: Frame, node: While) -> int:
    if machine.stack.preparing and node.gates & (EVENTS | Gate.FORWARD):
        return NEXT
    return _iterations(machine, frame, node, _tested(machine, frame, node))


def _tested(machine: Machine, frame: Frame, node: While) -> Iterator[bool]:
    taker = machine.contexts.consumers[-1] if machine.contexts.consumers and node.kind is LoopKind.OTHER else None
    count = _length(machine.plan, node.kind) if taker is None else yielded(machine, "")
    batches = (node if taker is None else taker.node).kind is LoopKind.BATCH
    for number in range(count):
        taken = 0 if taker is None else taker.number
        value = evaluate(machine, frame, node.test)
        known = truth(value)
        if batches and known is not False and not node.drains and _has_no_end(node.test, value):
            machine.course.streaming = True
        if known is None and node.kind is LoopKind.MICRO:
            learn_window(machine.plan, machine.sizes, value, "accum")
            machine.log.open_loops.add(node.ident)
        if known is False:
            return
        yield number == count - 1
        if taker is not None and taker.number != taken + 1:
            return  # it hands out nothing, or a loop in it does
    if truth(evaluate(machine, frame, node.test)) is True and node.kind is LoopKind.MICRO:
        machine.log.open_loops.add(node.ident)  # it is cut off, and would go on


def _has_no_end(test: Expr, value: Value) -> bool:
    """Whether a loop runs for ever, or up to a limit that is no loader's length: it is no epoch."""
    if isinstance(test, Const):
        return True
    limited = isinstance(form_of(value), Compare)
    return isinstance(test, Test) and test.op in _LIMITS and (limited or isinstance(test.right, Const))


_LIMITS = frozenset({"<", "<=", ">", ">=", "!="})


def _length(plan: Plan, kind: LoopKind) -> int:
    if kind is LoopKind.EPOCH:
        return 2
    if kind is LoopKind.BATCH:
        return plan.batches
    return plan.window if kind is LoopKind.MICRO else 1


def _iterations(
    machine: Machine, frame: Frame, node: For | While, iterations: Iterator[bool], batches: bool = False
) -> int:
    course, guards = machine.course, machine.scenario.guards
    depth = len(guards)
    kind = "batch" if batches else node.kind.value
    batched = node.kind is LoopKind.BATCH or _gives_batches(machine, frame, node)
    steady = Steady(machine) if batched and not machine.plan.options.every_iteration else None
    counts = node.kind in (LoopKind.BATCH, LoopKind.MICRO) and Gate.LOOP_BACKWARD not in _body_gates(node)
    taker = in_step(machine, frame, node)
    if is_counting(node):
        machine.names.counting.add(node.ident)
    for number, last in enumerate(iterations):
        if steady is not None and steady.reached():
            break
        here = Iteration(node.ident, number, kind) if taker is None else taker.turn
        course.enter(here, last)
        course.heads.append(node.span)
        try:
            ended = run(machine, frame, node.body)
        finally:
            course.leave()
            course.heads.pop()
            del guards[depth:]
        if counts:
            machine.names.rounds += 1
        if ended == BREAK:
            return NEXT
        if ended in (RETURN, STOP):
            return ended
    return run(machine, frame, node.other)


def _gives_batches(machine: Machine, frame: Frame, node: For | While) -> bool:
    """Whether a generator's loop yields what a loop over batches takes: its turns are alike when those are."""
    taker = machine.contexts.consumers[-1] if machine.contexts.consumers and node.kind is LoopKind.OTHER else None
    return taker is not None and taker.function is frame.function and taker.node.kind is LoopKind.BATCH


def _body_gates(node: For | While) -> Gate:
    """What the body's own statements gate: an inner loop shows, the loop itself does not."""
    gates = Gate.NOTHING
    for statement in node.body:
        gates |= statement.gates
    return gates


LOOPS: Statements = {For: aside(_for), While: aside(_while)}
