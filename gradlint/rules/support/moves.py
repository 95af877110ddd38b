"""Repairs in the words of the books: what a rule says to have an event moved to where it belongs.

    Repair("Clip before the step", (Move(clip, to=step),))

Where an event and a step meet in different functions, the calls that lead to them are moved first, if
they do nothing else; only if that does not help, the statements themselves.

    clip_all(model)                   is moved: all that it does is to clip
    backward_and_clip(model, loss)    stays: a micro-batch would be lost with it; the clip in it is moved
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gradlint.account.case import Case
from gradlint.model.books import Update, real
from gradlint.model.edits import Change, Delete, Enclose, Insert, Move, Repair
from gradlint.model.events import Event, Kind
from gradlint.model.finding import Span
from gradlint.model.record import replace
from gradlint.rules.support.telling import place


def before_step(
    title: str, case: Case, events: Sequence[Event], step: Event, first: Iterable[Change] = ()
) -> tuple[Repair, ...]:
    """Ways to move events directly before a step, under its guard."""
    return _moves(title, case, events, step, step, tuple(first), after=False)


def ahead_of_step(title: str, case: Case, events: Sequence[Event], step: Event) -> tuple[Repair, ...]:
    """Ways to move events under the guard of a step, in front of all else there: it may read what they change."""
    ways = _moves(title, case, events, step, step, (), after=False)
    moved = ([replace(one, foremost=True) for one in way.edits if isinstance(one, Move)] for way in ways)
    return tuple(Repair(title, tuple(edits)) for edits in moved)


def after_step(
    title: str, case: Case, event: Event, step: Event, also: Iterable[Change] = (), others: Iterable[Event] = ()
) -> tuple[Repair, ...]:
    """Ways to move an event, and those beside it, directly behind a step, or behind the scaler's update after it."""
    end = settled(case, step, zeros=event.kind is Kind.ZERO)
    return _moves(title, case, [event, *others], step, end, tuple(also), after=True)


def at_each_step(title: str, case: Case, optimizer: str, events: Sequence[Event], *, after: bool) -> tuple[Repair, ...]:
    """The way to have events directly at every step of an optimizer that steps in several places.

    if i % n == n - 1:
        flush()
    scheduler.step()        behind the first `flush()` and behind the second
    ...
    if left:
        flush()
    """
    steps = [event for event in case.of(Kind.STEP) if event.subject == optimizer]
    anchors = [settled(case, step) if after else step for step in steps]
    places = once(place(anchor, events[0]) for anchor in anchors)
    apart = any((one.calls, one.function) != (events[0].calls, events[0].function) for one in events)
    if apart or len(places) < 2 or not all(one.text for one in events):
        return ()
    gone = tuple(Delete(span) for span in once(one.span for one in events))
    code = "\n".join(dict.fromkeys(one.text for one in events))
    where = "after" if after else "before"
    return (Repair(title, (*gone, *(Insert(code, to, where, of=events[0].span) for to in places))),)


def synchronised(title: str, update: Update, event: Event) -> tuple[Repair, ...]:
    """The way to have an event only where Accelerate, which counts the micro-batches, lets the optimizer step."""
    if not any(item.detail.framework == "accelerate" for item in update.consumed):
        return ()
    header = f"if {update.consumed[0].event.receiver}.sync_gradients:"
    return (Repair(title, (Enclose(event.span, event.span, header),)),)


def beside(event: Event, other: Event) -> bool:
    """In the same iteration, under the same guards."""
    here = event.function == other.function and event.guards == other.guards
    return here and real(event.stamp) == real(other.stamp)


def settled(case: Case, step: Event, *, zeros: bool = False) -> Event:
    """The scaler's update that ends a step, or the last of several steps in a row, else the step itself.

    With `zeros` also what clears the gradients of another optimizer there.
    """
    last = step
    for event in case.events[step.number + 1 :]:
        if event.kind in (Kind.BACKWARD, Kind.FORWARD):
            break
        same = event.calls == step.calls and event.function == step.function and event.stamp == step.stamp
        own = same and event.guards == step.guards
        if event.kind in (Kind.STEP, Kind.UPDATE) and not own:
            break
        if event.kind is Kind.UPDATE and not zeros:
            return event
        if event.kind in (Kind.STEP, Kind.UPDATE) or (zeros and own and event.kind is Kind.ZERO):
            last = event
    return last


def _moves(
    title: str,
    case: Case,
    events: Sequence[Event],
    step: Event,
    anchor: Event,
    first: tuple[Change, ...],
    *,
    after: bool,
) -> tuple[Repair, ...]:
    calls = once(place(event, step) for event in events)
    only = once(span for event in events for span in within(event, place(event, step)))
    near = Move(calls, place(anchor, events[0]), after, only=only)
    far = Move(once(event.span for event in events), anchor.span, after)
    if (calls == far.what and near.to == far.to) or (not after and _goes_backward(case, near.to, anchor)):
        ways: tuple[Move, ...] = (far,)
    else:
        ways = (near, far) if all(nothing_else(case, call, events) for call in calls) else (far,)
    return tuple(Repair(title, (*first, move)) for move in ways)


def _goes_backward(case: Case, call: Span, step: Event) -> bool:
    """Whether a call goes backward before it steps: what stands before it comes too early."""
    return call != step.span and any(_in_call(event, call) for event in case.of(Kind.BACKWARD))


def within(event: Event, call: Span) -> tuple[Span, ...]:
    """The calls that lead from a call to an event, and the event; nothing when the call is the event itself."""
    return (*event.calls[event.calls.index(call) + 1 :], event.span) if call in event.calls else ()


def nothing_else(case: Case, call: Span, events: Iterable[Event]) -> bool:
    """Whether a call does what some events do, and no other work: a helper that goes backward stays where it is."""
    own = {event.kind for event in events}
    return all(event.kind in own for event in case.events if _in_call(event, call))


def _in_call(event: Event, call: Span) -> bool:
    one = event.span
    around = (call.row, call.column) <= (one.row, one.column) and (one.end_row, one.end_column) <= (
        call.end_row,
        call.end_column,
    )
    return (around and one.module == call.module) or call in event.calls


def once(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Each place once, in order."""
    return tuple(dict.fromkeys(spans))
