"""Evaluations with gradients on: which forwards nothing goes back through, and how they keep no graph.

model.eval()
for x, y in valid:
    right += count(model(x), y)      keeps a graph that no backward uses
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from gradlint.account.case import Case
from gradlint.account.names import called, tail
from gradlint.libraries.conventions.calls import ADAPTS, DRAWS, FEW, ON_INPUTS
from gradlint.model.edits import Quiet, Repair
from gradlint.model.events import Backward, Event, Forward, Kind, Stamp, Zero
from gradlint.model.finding import Span
from gradlint.model.placed import line_of
from gradlint.model.roots import comprises, within
from gradlint.rules.support.modes import evaluates


def needs_no_graph(case: Case, forward: Event) -> Iterator[str]:
    """Doubts that an evaluation keeps a graph, and that nothing needs it."""
    seen = isinstance(forward.detail, Forward) and forward.detail.seen
    if ADAPTS.search(forward.text) or (FEW.search(forward.text) and (case.program.adapts or not seen)):
        yield "the model may adapt itself by gradients of its own"
    if ON_INPUTS.search(forward.text.partition("(")[0]):
        yield "an attack on its input asks for gradients of its own"
    if case.program.derives:
        yield "the network may need gradients for its answer: the file speaks of derivatives"
    if case.program.dated.startswith("volatile"):
        yield "what it is given may be volatile, and keep no graph"
    if _goes_backward(case, forward):
        yield "a backward in the same iteration may go through it"


def _goes_backward(case: Case, forward: Event) -> bool:
    """Whether a loss goes backward behind an evaluation, in its iteration, and what that leaves is cleared unused.

    loss = gathered(model(x))
    loss.backward()            frees what the graph holds
    model.zero_grad()
    """
    backward = False
    for event in case.events[forward.number + 1 :]:
        if event.kind in (Kind.TRAIN, Kind.STEP) or event.stamp[: len(forward.stamp)] != forward.stamp:
            return False
        if isinstance(event.detail, Backward) and event.stamp == forward.stamp and not event.detail.forwards:
            backward = True
        if backward and isinstance(event.detail, Zero):
            return True
    return False


def quietly(case: Case, mode: Event, forward: Event) -> tuple[Repair, ...]:
    """Ways to evaluate without gradients: the loop, or the evaluated call alone where something is fitted beside it.

    The call is that of the forward, or the one that leads there, in the function that also calls `eval()` or a helper
    that does; at last the one by which a function that trains, too, does not.
    """
    start, call = _within_one(mode, forward)
    trained = [*case.of(Kind.BACKWARD, Kind.STEP), *(case.events[number] for number in sorted(case.used_forwards))]
    busy = tuple(dict.fromkeys(span for event in trained for span in (event.span, *event.calls)))
    edits = [Quiet(start, call, busy, case.program.switches, alone) for alone in (False, True)]
    told, _ = without_training(case, forward)
    if told is not None and mode.calls[-1:] == (told,):
        edits.append(Quiet(mode.span, told, busy, case.program.switches, alone=True))
    old = bool(case.program.dated)
    return tuple(Repair("Evaluate under `no_grad`", (edit,), old, _OLD if old else "") for edit in edits)


def asked_at(mode: Event | None, forward: Event) -> Span:
    """Where an evaluation runs a network: the method of it that leads to a layer is asked in the loop over the data.

    for x in valid:
        right += count(net.predict(x))      here, not `self.head(...)` in `predict`
    """
    own = forward.detail.own if isinstance(forward.detail, Forward) else ()
    if mode is None:
        return forward.span if _asker(forward) == forward.function else forward.calls[-_below(forward)]
    inside = min(len(forward.stamp), len(_set_in(mode, forward)) + 1)
    ways = enumerate(own, len(forward.calls) - len(own))
    asked = (forward.calls[at] for at, loops in ways if at >= len(mode.calls) and loops >= inside)
    return next(asked, forward.span)


def without_training(case: Case, forward: Event) -> tuple[Span | None, str]:
    """Where a line is run without training that also trains, and what is to be said of that.

    run_epoch(loader, training=True)
    run_epoch(held_out, training=False)         this call, or a turn of a loop over phases
    """
    same = [one for one in case.at(forward.span) if one.number in case.used_forwards]
    if not same:
        return None, ""
    busy = {call for one in same for call in one.calls}
    call = next((call for call in forward.calls if call not in busy), None)
    if call is None:
        return None, " The same line trains, too: this is of the turns in which no backward follows."
    return call, f" The same line trains, too; the call on {line_of(call)} does not."


_OLD = "the file is written for a PyTorch that may have no `no_grad`"


def _within_one(mode: Event, forward: Event) -> tuple[Span, Span]:
    """The calls that lead to an `eval()` and to a forward, or these themselves, in the innermost function around both."""
    depth = _shared(mode, forward)
    one, other = (event.span if len(event.calls) == depth else event.calls[depth] for event in (mode, forward))
    return one, other


def _shared(mode: Event, forward: Event) -> int:
    """How many calls lead to both."""
    pairs = zip(mode.calls, forward.calls, strict=False)
    return next(
        (depth for depth, (one, other) in enumerate(pairs) if one != other), min(len(mode.calls), len(forward.calls))
    )


def _is_handed_over(event: Event) -> bool:
    """Whether the model is given to what nobody sees, which may ask for its gradients (an attack)."""
    return isinstance(event.detail, Forward) and event.detail.assumed


_TRAINS = (Kind.TRAIN, Kind.BACKWARD, Kind.STEP)

Evaluated: TypeAlias = "tuple[Event, Event]"
"""An `eval()` and a forward in the mode that it sets."""


def announced(case: Case) -> tuple[list[Evaluated], set[str]]:
    """The first forward of each loop that an `eval()` says to be an evaluation, and the functions that are judged so.

    Functions in which something happens out of sight are none of either.
    """
    busy = {event.function for event in case.of(Kind.OPAQUE)}
    idle, trains = _evaluated(case)
    found = [one for one in _only_evaluated(idle, trains) if one[1].function not in busy]
    spoken = (event for _, event in (*idle, *trains))
    return found, busy.union(name for event in spoken for name in (event.function, _asker(event)))


def _evaluated(case: Case) -> tuple[list[Evaluated], list[Evaluated]]:
    """The forwards in evaluation mode that nothing goes back through, and those that something may go back through."""
    ways = {case.events[number].callee for number in case.used_forwards}
    modes: dict[str, Event] = {}
    idle: list[Evaluated] = []
    trains: list[Evaluated] = []
    for event in case.of(Kind.TRAIN, Kind.EVAL, Kind.FORWARD):
        if event.kind is not Kind.FORWARD:
            modes = {root: mode for root, mode in modes.items() if not within(root, event.subject)}
            modes[event.subject] = event
        elif _wants_gradients(case, event):
            mode = _mode_of(modes, event.subject) or _mode_of_all(modes, event)
            if mode is None or mode.kind is Kind.TRAIN:
                continue
            if event.number in case.used_forwards or _is_handed_over(event):
                trains.append((mode, event))
            elif _recurs(mode, event) and (_plainly(mode, event, ways) or _beneath(case, mode, event, ways)):
                idle.append((mode, event))
    return idle, trains


def _wants_gradients(case: Case, forward: Event) -> bool:
    """Whether a network is trained, or has a part in one; or a copy of it is, and it takes turns with that.

    A teacher is never set to train.

    shared.train()
    local = copy.deepcopy(shared)        trained; then `shared` takes its weights, and is evaluated
    """
    network = forward.subject
    if network in case.trained or _is_part_of_trained(case, forward):
        return True
    if not _reached(forward).isdisjoint(_trained_inside(case)):
        return True
    turns = any(event.subject == network for event in case.of(Kind.TRAIN))
    loop = forward.stamp[-1].loop if forward.stamp else -1
    busy = {iteration.loop for event in case.of(Kind.BACKWARD) for iteration in event.stamp}
    return turns and loop not in busy and any(one.startswith(f"{network}'") for one in case.trained)


def _reached(forward: Event) -> frozenset[str]:
    """The networks that the called one was given, and calls in its turn."""
    return frozenset(forward.detail.reaches) if isinstance(forward.detail, Forward) else frozenset()


def _trained_inside(case: Case) -> frozenset[str]:
    """The networks that others are made of through which some backward goes."""
    return frozenset[str]().union(*(_reached(case.events[number]) for number in case.used_forwards))


def _is_part_of_trained(case: Case, forward: Event) -> bool:
    """Whether a method of a trained network runs a part of it, and nothing speaks of parts that hold still."""
    own = isinstance(forward.detail, Forward) and bool(forward.detail.own) and forward.detail.seen
    return own and not case.program.freezes and any(comprises(one, forward.subject) for one in case.trained)


def _mode_of(modes: Mapping[str, Event], part: str) -> Event | None:
    """What has set the mode of a network or of a part: the innermost around it that was asked to."""
    around = [mode for root, mode in modes.items() if comprises(root, part)]
    return max(around, key=lambda mode: mode.number, default=None)


def _mode_of_all(modes: Mapping[str, Event], forward: Event) -> Event | None:
    """What has put the last of all networks into evaluation mode that one consists of: `Seq2Seq(encoder, decoder)`."""
    reached = _reached(forward)
    found = [mode for mode in (_mode_of(modes, one) for one in reached) if mode is not None and mode.kind is Kind.EVAL]
    return max(found, key=lambda mode: mode.number) if found and len(found) == len(reached) else None


def _recurs(mode: Event, forward: Event) -> bool:
    """Whether a loop over the data follows, or is around both; once at the end, or a few samples for the eye, costs little."""
    if not isinstance(forward.detail, Forward) or (_draws(forward.function) and not _is_measured(forward)):
        return False
    if len(forward.stamp) > len(_set_in(mode, forward)) or forward.detail.each:
        return True
    return forward.stamp == mode.stamp and any(iteration.kind != "call" for iteration in mode.stamp)


def _set_in(mode: Event, forward: Event) -> Stamp:
    """The loops around an `eval()`, without one that only goes over the networks: `for net in nets: net.eval()`."""
    stamp = mode.stamp
    while stamp and stamp[-1].kind == "other" and forward.stamp[: len(stamp)] != stamp:
        stamp = stamp[:-1]
    return stamp


def _only_evaluated(
    idle: Iterable[tuple[Event, Event]], trains: Sequence[tuple[Event, Event]]
) -> Iterator[tuple[Event, Event]]:
    """The first forward of each loop beside which no network is trained in evaluation mode, with its `eval()`.

    Args:
        idle: forwards that nothing goes back through, each with its `eval()`.
        trains: forwards that something does go back through in evaluation mode, or may, each with its `eval()`.
    """
    first: dict[tuple[str, int], tuple[Event, Event]] = {}
    for mode, forward in idle:
        if not any(_beside(mode, forward, *one) for one in trains):
            loop = forward.stamp[len(_set_in(mode, forward)) :] or forward.stamp
            first.setdefault((forward.function, loop[0].loop if loop else -1), (mode, forward))
    yield from first.values()


def _beside(mode: Event, forward: Event, off: Event, used: Event) -> bool:
    """Whether a network is trained in the mode that a forward evaluates in, or in the loop around that forward."""
    if used.function != forward.function or _is_handed_over(used):
        return used.function == forward.function
    around = [iteration.loop for iteration in forward.stamp[: len(used.stamp)]] == [
        iteration.loop for iteration in used.stamp
    ]
    return (off.span == mode.span and used.stamp[: len(off.stamp)] == off.stamp) or around


def unannounced(case: Case, spoken: set[str]) -> Iterator[Event]:
    """The first forward of each function that is called an evaluation, and runs a trained network over data.

    Functions that are `spoken` of already are left out. Nobody says so by `eval()`: `def test(): for x, y in loader: right += count(model(x), y)`. Its loop trains nothing,
    and nothing goes back through what it computes.
    """
    modes = {event.function for event in case.of(Kind.TRAIN, Kind.EVAL, Kind.BACKWARD, Kind.STEP)}
    trains = {
        iteration.loop
        for event in case.of(Kind.TRAIN, Kind.BACKWARD, Kind.STEP, Kind.ZERO)
        for iteration in event.stamp
    }
    found: dict[str, Event] = {}
    for event in case.of(Kind.FORWARD):
        detail, function = event.detail, _asker(event)
        plain = isinstance(detail, Forward) and detail.keeps and not detail.assumed
        if (
            event.number in case.used_forwards
            or not plain
            or not modes.isdisjoint((function, event.function))
            or not evaluates(function)
            or not _is_measured(event)
        ):
            continue
        iteration = next(iter(_around(event)[-1:]), None)
        over = (
            iteration is not None
            and iteration.loop >= 0
            and iteration.kind not in ("call", "epoch")
            and iteration.loop not in trains
        )
        if over and _wants_gradients(case, event):
            found.setdefault(function, event)
    yield from (event for event in found.values() if spoken.isdisjoint((_asker(event), event.function)))


def _asker(forward: Event) -> str:
    """The function that runs a network: the one that calls a method of it which leads to a layer, or a helper.

    The method itself may be the evaluation, where who calls it is none.
    """
    asker = forward.detail.asker if isinstance(forward.detail, Forward) else ""
    return asker if asker and (evaluates(asker) or not evaluates(forward.function)) else forward.function


def _around(forward: Event) -> Stamp:
    """The iterations of the loops in which it does."""
    detail = forward.detail
    if not isinstance(detail, Forward) or not detail.asker or _asker(forward) == forward.function:
        return forward.stamp
    return forward.stamp[: detail.own[0] if detail.own else detail.turning]


def _below(forward: Event) -> int:
    """How many calls lead to it from the function that runs the network."""
    detail = forward.detail
    return (len(detail.own) or detail.below) if isinstance(detail, Forward) else 0


def _plainly(mode: Event, forward: Event, ways: set[str]) -> bool:
    """Whether a function puts a model into evaluation mode and calls it, or a method that trains it, with gradients on.

    It may have another name by then: `judge = model.eval()`, `judge(x)`, or be one of several: `nets["head"](x)`.
    """
    name, callee = mode.receiver, forward.callee
    plain = callee in (name, f"{name}.forward", f"{name}.module") or (callee in ways and comprises(name, callee))
    inside = any(comprises(mode.subject, one) for one in (forward.subject, *_reached(forward)))
    plain = plain or (inside and (callee in ways or callee.isidentifier()))
    attached = isinstance(forward.detail, Forward) and forward.detail.keeps
    return attached and mode.function == forward.function and plain


def _beneath(case: Case, mode: Event, forward: Event, ways: set[str]) -> bool:
    """Whether a model is put into evaluation mode before a call that runs it, with gradients on, and trains nothing.

    A helper may do the one (`quiet(model)`), or the other (`score(model, held_out)`), or each of two.
    """
    depth, around = _shared(mode, forward), _set_in(mode, forward)
    iterations = len(around)
    if mode.function == forward.function or forward.stamp[:iterations] != around:
        return False
    way = forward.calls[: depth + 1]
    deeper = len(forward.calls) > depth
    inside = (
        event
        for event in case.of(*_TRAINS)
        if deeper and event.calls[: depth + 1] == way and event.stamp[:iterations] == around
    )
    name = forward.callee.removesuffix(".forward").removesuffix(".module")
    plain = "." not in name or name in ways or tail(name) in (tail(mode.receiver), tail(called(forward.subject)))
    attached = isinstance(forward.detail, Forward) and forward.detail.keeps
    plain = plain or _is_asked(forward, depth)
    return attached and plain and not _draws(mode.function) and not any(inside)


def _is_asked(forward: Event, depth: int) -> bool:
    """Whether a method of a network leads to a layer of it, and is no drawing: `net.score(x)` runs `self.head(...)`.

    It is called below so many calls.
    """
    detail = forward.detail
    own = isinstance(detail, Forward) and bool(detail.own) and len(forward.calls) - len(detail.own) >= depth
    return own and isinstance(detail, Forward) and (not DRAWS.search(detail.asked) or _is_measured(forward))


def _draws(function: str) -> bool:
    """Whether a function shows what a network makes of a few inputs; one that is called an evaluation is of no drawer."""
    name = function.rpartition(".")[2]
    return DRAWS.search(name if evaluates(name) else function)


def _is_measured(forward: Event) -> bool:
    """Whether an evaluation runs a network, whatever that method of it is called: `score(net.generate(x), y)`.

    A helper that draws is none of it: `show_samples(net)`.
    """
    asker, detail = _asker(forward), forward.detail
    own = isinstance(detail, Forward) and (bool(detail.own) or not _draws(detail.asked))
    return own and evaluates(asker) and not _draws(asker)
