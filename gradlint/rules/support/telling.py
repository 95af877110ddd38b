"""What messages say of events: lines, places, related places."""

from __future__ import annotations

from gradlint.account.case import Case
from gradlint.model.books import Update
from gradlint.model.events import Event, Kind
from gradlint.model.finding import Related, Span


def line(event: Event) -> str:
    """`line 12`."""
    return f"line {event.span.row}"


def related(event: Event, message: str) -> Related:
    """Another line of the mistake."""
    return Related(event.span, message)


def place(event: Event, against: Event) -> Span:
    """Where an event is out of place against another.

    Its own line, or, when it happens inside a helper that the other is not in, the call of that helper.
    """
    shared = 0
    for one, two in zip(event.calls, against.calls, strict=False):
        if one != two:
            break
        shared += 1
    return event.calls[shared] if shared < len(event.calls) else event.span


def spot(case: Case, event: Event, against: Event) -> Span:
    """Where a mistake stands that an event makes.

    The call of a helper that does nothing else (`clip(model)` comes too early); in a helper that does
    more, or one that runs the schedule, the statement in it.
    """
    call = place(event, against)
    if call == event.span:
        return call
    depth = event.calls.index(call) + 1
    kinds = {
        other.kind
        for other in case.events
        if other.calls[:depth] == event.calls[:depth] and other.stamp == event.stamp and other.kind in _BOOKED
    }
    only = kinds <= {event.kind, Kind.UNSCALE} and event.kind is not Kind.SCHEDULE
    return call if only else event.span


_BOOKED = frozenset({Kind.ZERO, Kind.BACKWARD, Kind.UNSCALE, Kind.CLIP, Kind.STEP, Kind.UPDATE, Kind.SCHEDULE})


def inside(event: Event, span: Span, against: Event | None = None) -> tuple[Related, ...]:
    """The event itself, when the finding stands at the call of its helper; that call, when it stands in the helper."""
    if span != event.span:
        return (Related(event.span, "it happens here"),)
    call = span if against is None else place(event, against)
    return () if call == span else (Related(call, "it is called here"),)


def guard_related(update: Update) -> tuple[Related, ...]:
    """The guard around the step, when it has one of its own."""
    guard = update.guard
    return () if guard is None else (Related(guard.span, "the window ends here"),)
