"""A finding's event log: the gradient events of one window, up to the step that spends them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gradlint.model.finding import Finding
    from gradlint.model.trace import RegionTrace, TraceEvent

LONGEST = 40
_STEP = "step"


@dataclass(frozen=True, slots=True)
class Stop:
    """One event on the way; `essential` where the finding or a line of its mistake is."""

    event: TraceEvent
    essential: bool

    @property
    def text(self) -> str:
        """What happens: `backward: weight 1, scaled (epoch 0, batch 2)`."""
        event = self.event
        what = f"{event.kind} of {event.subject}" if event.subject else event.kind
        iteration = ", ".join(f"{kind} {number}" for kind, number in event.stamp)
        return what + (f": {event.detail}" if event.detail else "") + (f" ({iteration})" if iteration else "")


def flow(finding: Finding, regions: Sequence[RegionTrace]) -> tuple[Stop, ...]:
    """The events from the beginning of the window to the step after the finding.

    Where nothing happens at the finding's own place (a guard), its related lines stand for it; where
    nothing happens there either, there is no event log.
    """
    related = {one.span.row for one in finding.related}
    for rows in (_own(finding), related):
        for events in (scenario.events for region in regions for scenario in region.scenarios):
            found = next((number for number, one in enumerate(events) if one.row in rows), None)
            if found is not None:
                window = events[_begin(events, found, related) : _end(events, found, related)]
                return tuple(Stop(one, one.row in related or one.row in _own(finding)) for one in window[:LONGEST])
    return ()


def _own(finding: Finding) -> range:
    return range(finding.span.row, finding.span.end_row + 1)


def _begin(events: Sequence[TraceEvent], found: int, rows: set[int]) -> int:
    """After the last step before the finding, unless that step takes part in the mistake."""
    number = found
    while number and (events[number - 1].kind != _STEP or events[number - 1].row in rows):
        number -= 1
    return max(number, found - LONGEST // 2)


def _end(events: Sequence[TraceEvent], found: int, rows: set[int]) -> int:
    """After the next step, or after the last line of the mistake if that comes later in the same window."""
    number = found
    while number < len(events) and events[number].kind != _STEP:
        number += 1
    missing = rows - {one.row for one in events[: number + 1]}
    if not missing and any(one.kind == _STEP and one.row in rows for one in events[:found]):
        return found + 1
    return number + 1
