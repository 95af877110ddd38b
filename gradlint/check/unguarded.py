"""What a repair takes out of a guard that leaves it out at times.

opt.step()
if 0.8 * spread(seen) > 0.05:                 true while nothing was seen, and then perhaps
    norm = clip_grad_norm_(weights, 1.0)      before the step it would be done each time
    seen.append(norm.item())
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from gradlint.model.edits import Delete, Move

if TYPE_CHECKING:
    from gradlint.account.case import Case
    from gradlint.model.edits import Repair
    from gradlint.model.events import Event, Guard, Kind
    from gradlint.model.finding import Span


def moved_away(repairs: Iterable[Repair]) -> set[Span]:
    """The calls that repairs move or take out: `dial.step()` of a loop over all dials."""
    edits = (edit for repair in repairs for edit in repair.edits)
    sites = (
        edit.what if isinstance(edit, Move) else (edit.what,) for edit in edits if isinstance(edit, (Move, Delete))
    )
    return set(chain.from_iterable(sites))


def let_through(repairs: Iterable[Repair], before: Sequence[Case], after: Sequence[Case]) -> Iterator[str]:
    """Why moved calls are made where they were not: a guard had left them out, of which the new place knows nothing."""
    away = moved_away(repairs)
    for was, now in zip(before, after, strict=True):
        old, new = _told(was, lambda event: _is_at(event, away)), _told(now, lambda _: True)
        for key, guards in old.items():
            lost = _taken(guards) - _taken(new.get(key, []))
            if lost and len(new.get(key, [])) > len(guards):
                yield f"`{min(lost)}` leaves it out at times"


def _told(case: Case, wanted: Callable[[Event], bool]) -> dict[tuple[Kind, str], list[Sequence[Guard]]]:
    """Events by what they do and how it is written, with the guards of each."""
    found: dict[tuple[Kind, str], list[Sequence[Guard]]] = {}
    for event in filter(wanted, case.events):
        found.setdefault((event.kind, event.text), []).append(event.guards)
    return found


def _is_at(event: Event, places: set[Span]) -> bool:
    return event.span in places or not places.isdisjoint(event.calls)


def _taken(guards: Iterable[Sequence[Guard]]) -> set[str]:
    return {guard.text for guard in chain.from_iterable(guards) if guard.taken}
