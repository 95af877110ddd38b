"""Iteration: what a loop goes over, item by item, and how many there are."""

from __future__ import annotations

from collections.abc import Sequence

from gradlint.interpret.items import sliced
from gradlint.interpret.limits import asks_for_last, start_of
from gradlint.interpret.machine import Machine
from gradlint.interpret.plan import MAX_WINDOW, Plan, last_name
from gradlint.interpret.sequences import (
    Backwards,
    Count,
    Entries,
    Enumerate,
    Groups,
    Pieces,
    Range,
    Sized,
    Slice,
    Stream,
    Yields,
    Zip,
)
from gradlint.interpret.state.objects import Objects
from gradlint.interpret.state.sizes import Sizes
from gradlint.interpret.traits import exact, form_of, key_of, key_value
from gradlint.interpret.values import Parameters, Series, SomeKey, Table, Tracked, Unknown, Value
from gradlint.interpret.windows import core
from gradlint.libraries.conventions.numbers import INDEX_NAME, WINDOW_NAME
from gradlint.model.effects import Gate
from gradlint.model.events import EventLog
from gradlint.model.pattern import pattern
from gradlint.model.program import Attr, Call, Display, Expr, For, LoopKind, Read
from gradlint.model.roles import Role


def element_of(objects: Objects, plan: Plan, source: Value) -> Value:
    """One element of an iterable that nobody can list."""
    if isinstance(source, Tracked):
        if source.role in (Role.LOADER, None):
            return Unknown(f"{source.key}[*]", varying=True)
        return objects.tracked(source.role, f"{source.key}[*]", source.origin)
    if isinstance(source, Parameters):
        return source
    if isinstance(source, Unknown) and isinstance(source.form, Entries):
        return _entry(source, source.form.named)
    one = _output(source) if isinstance(source, Unknown) and source.graph.forwards else None
    one = one or Unknown(f"{key_of(source)}[*]", varying=True)
    if isinstance(source, Unknown) and source.scale is not None:
        one.scale = source.scale  # a piece of a scaled gradient is scaled
    if isinstance(form := form_of(source), Groups):
        one.form = Pieces(form.size)
        plan.marks.chunked = True
    return one


def _output(source: Unknown) -> Unknown:
    """One of several things that a model returns: it comes from the same forward."""
    one = source.under(f"{source.key}[*]")
    one.varying, one.terms, one.data = True, (), one.data.holding(None)
    one.leaves = frozenset((one.key,))
    return one


def _are_entries(source: Value) -> bool:
    return isinstance(form_of(source), Entries)


def _entry(source: Unknown, named: bool) -> Value:
    """One of the losses that a model or a criterion returns in a dictionary, alone or with its name."""
    value = source.under(f"{source.key}[*]")
    value.varying, value.terms = True, ()
    value.leaves = frozenset((value.key,))
    name = Unknown(f"{source.key}[*].name", varying=True)
    return Series([name, value], "tuple") if named else value


def iterate(machine: Machine, source: Value, node: For, counted: bool = False) -> list[Value]:
    """The items a `for` runs over: known ones, or as many as the loop's kind needs.

    `counted` says that an `enumerate` already numbers them.
    """
    if machine.stack.preparing and node.gates & (Gate.BACKWARD | Gate.STEP):
        return []
    if isinstance(source, Series) and source.drawn is not None and not source.used:
        source.used = True
        return source.items * len(iterate(machine, source.drawn, node, counted))
    if isinstance(source, Series):
        _name_window(machine.plan, source, node)
        return _known(machine.log, machine.plan, source, node)
    if isinstance(source, Table):
        keys = [key_value(key) for key in source.items if isinstance(key, (str, int, SomeKey))]
        return keys[: machine.plan.batches]
    if isinstance(source, Parameters):
        return [source] if source.consume() else []
    if isinstance(source, Unknown) and source.form is not None:
        special = _composed(machine, source, node, counted)
        if special is not None:
            return special
    count = _turns(machine, source, node)
    return [_element(machine.objects, machine.plan, source, node, number, counted) for number in range(count)]


def _turns(machine: Machine, source: Value, node: For) -> int:
    """How often a loop goes round whose items nobody can list: those of a generator as often as it is asked."""
    count = _count(machine.plan, machine.sizes, source, node)
    if machine.contexts.consumers and node.kind is LoopKind.OTHER:
        return max(count, yielded(machine, key_of(source)))
    return count


def yielded(machine: Machine, key: str) -> int:
    """How often a generator goes round, for what is done with each thing that it yields, by it or by who takes it."""
    kinds = (one.node.kind for one in reversed(machine.contexts.consumers))
    kind = next((one for one in kinds if one is not LoopKind.OTHER), LoopKind.OTHER)
    if kind in (LoopKind.BATCH, LoopKind.MICRO):
        return machine.plan.length(key) if kind is LoopKind.BATCH else machine.plan.window
    return 2


def _name_window(plan: Plan, source: Series, node: For) -> None:
    """`for _ in range(accumulation_steps)` says what it counts, a number or not, and each in pieces or not."""
    micro = node.kind is LoopKind.MICRO or (node.kind is LoopKind.EPOCH and Gate.STEP not in node.gates)
    counts = _RANGE.fullmatch(getattr(node.iterable, "text", "")) if micro else None
    if counts and WINDOW_NAME.search(counts["name"]):
        plan.numbers.named[counts["name"]] = len(source.items)


_RANGE = pattern(r"""range\((?P<name>[\w.]+(?:\[['"][\w-]+['"]\])*)\)""")


def _composed(machine: Machine, source: Unknown, node: For, counted: bool) -> list[Value] | None:
    """Items of `enumerate`, `zip` and `range` over things that nobody can list."""
    match source.form:
        case Enumerate(inner, start):
            first = first_number(machine.plan, start)
            items = iterate(machine, inner, node, counted=True)
            if isinstance(counter := form_of(start), Count):
                counter.taken += len(items) + 1  # one more is asked for, and nothing is left to go with it
            return [Series([first + number, item], "tuple") for number, item in enumerate(items)]
        case Count():
            machine.course.streaming = machine.course.streaming or node.kind is LoopKind.BATCH
            return _numbers(machine.plan, source.form, _count(machine.plan, machine.sizes, source, node))
        case Zip(sources):
            return _pairs(machine, source, sources, node)
        case Stream(inner):
            machine.course.streaming = machine.course.streaming or node.kind is LoopKind.BATCH
            return None if inner is None else iterate(machine, inner, node, counted)
        case Yields(numbers):
            items = iterate(machine, numbers, node, counted)
            return [
                _element(machine.objects, machine.plan, source, node, number, counted) for number in range(len(items))
            ]
        case Slice() as part:
            return _first_items(machine, part, node)
        case Range() as numbers_of:
            return _up(machine, source, numbers_of, node)
        case Backwards(inner):
            return _down(machine, source, inner, node)
        case Pieces(count) if node.kind is LoopKind.MICRO:
            return _pieces(machine, source, count)
    return None


def _up(machine: Machine, source: Unknown, numbers_of: Range, node: For) -> list[Value]:
    """The numbers of a `range` whose end nobody knows."""
    if has_turns(node, source):
        return [0, 1]
    return _range(
        machine.plan,
        numbers_of,
        _turns(machine, source, node),
        counts=node.kind is LoopKind.MICRO,
        by_one=node.kind is not LoopKind.BATCH and Gate.BACKWARD in node.gates and Gate.STEP not in node.gates,
        first=_begins(machine.plan, numbers_of, node),
    )


def _down(machine: Machine, source: Unknown, inner: Value, node: For) -> list[Value]:
    """Items from the last to the first: what is left over by the last window comes first."""
    items = iterate(machine, inner, node)
    if node.kind is LoopKind.BATCH:
        machine.plan.numbers.starts.add(source.key)
    return items[::-1]


def _numbers(plan: Plan, counter: Count, count: int) -> list[Value]:
    """The next numbers of an `itertools.count`."""
    first = first_number(plan, counter.start) + counter.taken
    counter.taken += count
    return list(range(first, first + count))


def _pairs(machine: Machine, source: Unknown, sources: tuple[Value, ...], node: For) -> list[Value]:
    if node.kind is LoopKind.BATCH:
        machine.sizes.count_batches(machine.plan, source)  # before its parts: of one, the others have their length
    columns = _columns(machine, sources, node)
    if node.kind is LoopKind.BATCH:
        _has_length(machine.plan, key_of(source))
    return [Series(list(row), "tuple") for row in zip(*columns, strict=False)]


def _columns(machine: Machine, sources: Sequence[Value], node: For) -> list[list[Value]]:
    """What each part of a `zip` gives; a counter has no end, and goes as far as the others do."""
    counters = [form_of(part) for part in sources]
    columns = [
        [] if isinstance(form, Count) else iterate(machine, part, node, counted=True)
        for part, form in zip(sources, counters, strict=True)
    ]
    ends = [len(column) for column, form in zip(columns, counters, strict=True) if not isinstance(form, Count)]
    shortest = min(ends, default=_count(machine.plan, machine.sizes, None, node))
    return [
        _numbers(machine.plan, form, shortest) if isinstance(form, Count) else column
        for column, form in zip(columns, counters, strict=True)
    ]


def has_turns(node: For, source: Unknown) -> bool:
    """Whether a loop takes an output through turns, nobody knows how many, and the last is another: two will do.

    for turn in range(turns):
        with nullcontext() if turn == turns - 1 else torch.no_grad():
            out = model(x, out)
    """
    turns = source.form
    if node.kind is not LoopKind.OTHER or not isinstance(turns, Range) or not isinstance(turns.stop, Unknown):
        return False
    return turns.start == 0 and turns.step in (None, 1) and Gate.FORWARD in node.gates and asks_for_last(node)


def _first_items(machine: Machine, part: Slice, node: For) -> list[Value]:
    """`islice(stream, 8)`: as many as it says; over micro-batches these are a window."""
    stop = part.stop
    if node.kind is LoopKind.MICRO and part.written is not None:
        if isinstance(stop, Unknown) and not stop.varying:
            machine.plan.bind_window(core(stop).key)
        elif isinstance(stop, int):
            machine.plan.widen(stop)
            _name_size(machine.plan, part.written, stop)
            machine.log.truncated = machine.log.truncated or stop > MAX_WINDOW
    items = iterate(machine, part.source, node, counted=True)
    return items[:stop] if isinstance(stop, int) else items


def _name_size(plan: Plan, written: Expr, size: int) -> None:
    """A window that is a number here may have a name in the source."""
    if isinstance(written, (Read, Attr)):
        plan.numbers.named[written.name] = size


def _pieces(machine: Machine, source: Unknown, count: Value) -> list[Value]:
    """`batch.chunk(4)`: as many as it says, or as a window has."""
    if isinstance(count, Unknown) and not count.varying:
        machine.plan.bind_window(count.key)
    number = exact(count)
    size = int(number) if number is not None and 1 <= number <= MAX_WINDOW else machine.plan.window
    machine.log.truncated = machine.log.truncated or (number is not None and size != number)
    return [element_of(machine.objects, machine.plan, source) for _ in range(size)]


def first_number(plan: Plan, start: Value) -> int:
    """The number that `enumerate(batches, start)` begins with: 0 where nobody can see it."""
    if isinstance(counter := form_of(start), Count):
        return first_number(plan, counter.start) + counter.taken
    number = exact(start)
    if number is not None:
        return int(number)
    if isinstance(start, Unknown):
        plan.numbers.starts.add(start.key)
    return 0


def _known(log: EventLog, plan: Plan, source: Series, node: For) -> list[Value]:
    if source.once and source.used:
        return []
    source.used = True
    items = source.items
    if node.kind is LoopKind.EPOCH:
        return items[: _STAGES if all(isinstance(item, (Series, Table)) for item in items) else 2]
    if node.kind is LoopKind.BATCH:
        return items if len(items) <= _EXACT else _sampled(items, plan.window)
    if len(items) > MAX_WINDOW:
        log.truncated = log.truncated or node.kind is LoopKind.MICRO
    return items[:MAX_WINDOW] if node.kind is LoopKind.MICRO else items[: 2 * plan.batches]


_STAGES = 4
"""So many stages of a training are run, each with settings of its own: `for window, rate in [(1, 0.1), (4, 0.01)]`."""


_EXACT = 48
"""So many known batches are all run."""


def _sampled(items: list[Value], window: int) -> list[Value]:
    """Of many batches two windows from the front, and from the end a ragged one."""
    return items[: 2 * window] + items[-(len(items) % window or window) :]


def _count(plan: Plan, sizes: Sizes, source: Value, node: For) -> int:
    if node.kind is LoopKind.EPOCH:
        _has_length(plan, key_of(source), plan.loops.outer)
        return 2
    if node.kind is LoopKind.BATCH:
        _has_length(plan, key_of(source))
        sizes.count_batches(plan, source)
        return plan.length(key_of(source))
    if node.kind is LoopKind.MICRO:
        if isinstance(source, Tracked) and source.key in plan.loops.loaders:
            return plan.length(source.key)  # what is a batch elsewhere is no more here
        cut = _PART.fullmatch(key_of(source))
        _has_length(plan, cut["whole"] if cut else key_of(source), plan.loops.groups)
        return len(sliced(range(plan.window), cut["ends"])) if cut else plan.window
    return 1


_PART = pattern(r"(?P<whole>.+)\[(?P<ends>-?\d*:-?\d*)\]")
"""`window[:-1]`: all micro-batches of a window but the last, which comes by itself."""


def _has_length(plan: Plan, key: str, among: set[str] | None = None) -> None:
    """What a loop runs over is as long as the loop; if its length was asked for before, once more with it."""
    (plan.loops.loaders if among is None else among).add(key)
    if key in plan.loops.measured:
        plan.loops.measured.discard(key)
        plan.restart()


def _range(plan: Plan, source: Range, count: int, *, counts: bool, by_one: bool, first: int) -> list[Value]:
    start, stop = source.start, source.stop
    learns = isinstance(stop, Unknown) and not stop.varying and start == 0 and (count > 1 or counts)
    times = _times(stop) if isinstance(stop, Unknown) and count == plan.batches else 0
    if learns and isinstance(stop, Unknown) and stop.key not in plan.numbers.bindings:
        plan.bind_length(stop.key, count, times)
        if count == plan.window:
            plan.numbers.windows.add(stop.key)
        if by_one and isinstance(source.step, Unknown) and not source.step.varying:
            plan.numbers.bindings.setdefault(source.step.key, 1)  # so `samples // size` counts the turns
        plan.restart()
    return [first + number for number in range(plan.cut(times) if times > 1 else count)]


def _begins(plan: Plan, numbers_of: Range, node: For) -> int:
    """The first number of a range: what it is, or 1 where an option of its name is (`--start_epoch`), else 0.

    `range(start + 1, stop + 1)` counts from one what `range(start, stop)` would count from nought. Where the first
    number alone is one more, it may go on behind the last of a run before.
    """
    start = numbers_of.start
    first = exact(start)
    if first is not None:
        return int(first)
    base, more = _shifted(start)
    if more:
        begins = plan.numbers.defaults.get(last_name(base))
        known = begins in (0, 1) or _shifted(numbers_of.stop)[1] == more
        return more + int(begins == 1) if known else 0
    name, numbers = start_of(node) or last_name(key_of(start)), plan.numbers
    if name in numbers.defaults:
        return int(numbers.defaults[name] == 1)
    if node.kind is LoopKind.EPOCH:
        numbers.begun.add(name)
    return int(name in numbers.from_one)


def _shifted(value: Value) -> tuple[str, int]:
    """What a known number was added to, and that number: `start + 1`."""
    found = _ONE_MORE.fullmatch(value.key) if isinstance(value, Unknown) else None
    return (found["base"] or found["added"], int(found["by"] or found["to"])) if found else ("", 0)


_ONE_MORE = pattern(r"\((?:(?P<base>.+) \+ (?P<by>[1-9]\d?)|(?P<to>[1-9]\d?) \+ (?P<added>.+))\)")


def _times(number: Unknown) -> int:
    """What a whole number was multiplied by last: `rows // (size * accum) * accum`, `updates * accum`."""
    last = number.factor.parts[-1] if number.factor.parts else None
    return int(last.number) if last is not None and not last.divides and last.number.denominator == 1 else 1


def _element(objects: Objects, plan: Plan, source: Value, node: For, number: int, counted: bool) -> Value:
    """An element of an unknown iterable; `for i, batch in progress(loader)` counts from 0."""
    target = node.target
    if counted or _is_loader(source) or _are_entries(source):
        return element_of(objects, plan, source)
    if isinstance(target, Display) and len(target.items) == 2 and not _has_keys(node.iterable):
        first = target.items[0]
        if isinstance(first, Read) and INDEX_NAME.search(first.name):
            return Series([number, element_of(objects, plan, source)], "tuple")
    counts = isinstance(target, Read) and INDEX_NAME.search(target.name) and target.name != "n"
    if counts and not _are_keys(target, source) and isinstance(source, Unknown) and not isinstance(source.form, Sized):
        return number
    return element_of(objects, plan, source)


def _are_keys(target: Expr, source: Value) -> bool:
    """`for k in losses:` over what a network returned: a key, for nothing is counted there."""
    return (
        isinstance(target, Read) and target.name == "k" and isinstance(source, Unknown) and bool(source.graph.forwards)
    )


def _has_keys(iterable: Expr) -> bool:
    """`for k, v in obj.__dict__.items()`: what is called like an index is no number."""
    return isinstance(iterable, Call) and isinstance(iterable.func, Attr) and iterable.func.name == "items"


def _is_loader(source: Value) -> bool:
    return isinstance(source, Tracked) and source.role is Role.LOADER
