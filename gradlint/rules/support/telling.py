"""What messages say of events: lines and places."""

from __future__ import annotations

from gradlint.account.case import Case
from gradlint.model.events import Event, Kind
from gradlint.model.finding import Span
from gradlint.model.placed import line_of


def line(event: Event) -> str:
    """`line 12`."""
    return line_of(event.span)


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
