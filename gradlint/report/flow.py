"""A finding's event log: the gradient events of one window, up to the step that spends them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gradlint.model.record import dataclass
from gradlint.model.trace import TraceCall

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gradlint.model.finding import Finding
    from gradlint.model.trace import RegionTrace, TraceEvent

    Line = tuple[str, int]

LONGEST = 40
_STEP = "step"


@dataclass(frozen=True, slots=True)
class Stop:
    """One event on the way, or a call that leads there; `essential` where the finding or a line of its mistake is."""

    path: str
    event: TraceEvent | TraceCall
    essential: bool
    depth: int

    @property
    def text(self) -> str:
        """What happens: `backward: weight 1, scaled (epoch 0, batch 2)`, or `calls train(...)`."""
        event = self.event
        if isinstance(event, TraceCall):
            return f"calls {event.source}"
        what = f"{event.kind} of {event.subject}" if event.subject else event.kind
        iteration = ", ".join(f"{kind} {number}" for kind, number in event.stamp)
        return what + (f": {event.detail}" if event.detail else "") + (f" ({iteration})" if iteration else "")


def flow(finding: Finding, regions: Sequence[RegionTrace]) -> tuple[Stop, ...]:
    """The events from the beginning of the window to the step after the finding, and the calls that lead to them.

    Where nothing happens at the finding's own place (a guard), its related lines stand for it; where
    nothing happens there either, there is no event log. A caller that the finding names goes before others.
    """
    own = {(finding.path, row) for row in range(finding.span.row, finding.span.end_row + 1)}
    related = {(one.path or finding.path, one.span.row) for one in finding.related}
    named = {one.path for one in finding.related if one.path}
    ordered = sorted(regions, key=lambda one: one.path not in named)
    for lines in (own, related):
        for region, events in ((one, scenario.events) for one in ordered for scenario in one.scenarios):
            at = [(region.file(one), one.row) for one in events]
            found = next((number for number, line in enumerate(at) if line in lines), None)
            if found is not None:
                felt = related - {(call.path, call.row) for one in events for call in one.calls}
                window = events[_begin(events, at, found, felt) : _end(events, at, found, felt)]
                return tuple(_stops(region, window, own | related))[:LONGEST]
    return ()


def _stops(region: RegionTrace, events: Sequence[TraceEvent], essential: set[Line]) -> Iterator[Stop]:
    """Events, each behind the calls that lead from the one before to it."""
    before: tuple[TraceCall, ...] = ()
    for event in events:
        shared = 0
        while shared < min(len(before), len(event.calls)) and before[shared] == event.calls[shared]:
            shared += 1
        for depth, call in enumerate(event.calls[shared:], shared):
            yield Stop(call.path, call, (call.path, call.row) in essential, depth)
        path = region.file(event)
        yield Stop(path, event, (path, event.row) in essential, len(event.calls) + len(event.stamp))
        before = event.calls


def _begin(events: Sequence[TraceEvent], at: Sequence[Line], found: int, related: set[Line]) -> int:
    """After the last step before the finding, unless that step takes part in the mistake."""
    number = found
    while number and (events[number - 1].kind != _STEP or at[number - 1] in related):
        number -= 1
    return max(number, found - LONGEST // 2)


def _end(events: Sequence[TraceEvent], at: Sequence[Line], found: int, related: set[Line]) -> int:
    """After the next step, or after the last line of the mistake if that comes later in the same window."""
    number = found
    while number < len(events) and events[number].kind != _STEP:
        number += 1
    missing = related - set(at[: number + 1])
    if not missing and any(
        event.kind == _STEP and line in related for event, line in zip(events[:found], at, strict=False)
    ):
        return found + 1
    return number + 1
