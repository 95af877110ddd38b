"""What a repair takes out of a guard that leaves it out at times.

opt.step()
if 0.8 * spread(seen) > 0.05:                 true while nothing was seen, and then perhaps
    norm = clip_grad_norm_(weights, 1.0)      before the step it would be done each time
    seen.append(norm.item())

if limit > 0: clip_grad_norm_(weights, limit)     without the guard a limit of nought leaves nothing of a gradient
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from gradlint.model.edits import Delete, Move
from gradlint.model.events import Kind

if TYPE_CHECKING:
    from gradlint.account.case import Case
    from gradlint.model.edits import Repair
    from gradlint.model.events import Event, Guard
    from gradlint.model.finding import Span


def moved_away(repairs: Iterable[Repair]) -> set[Span]:
    """The calls that repairs move or take out: `dial.step()` of a loop over all dials."""
    edits = (edit for repair in repairs for edit in repair.edits)
    sites = (
        edit.what if isinstance(edit, Move) else (edit.what,) for edit in edits if isinstance(edit, (Move, Delete))
    )
    return set(chain.from_iterable(sites))


def let_through(repairs: Iterable[Repair], before: Sequence[Case], after: Sequence[Case]) -> Iterator[str]:
    """Why a moved clip limits what was not limited: a guard had left it out, of which the new place knows nothing.

    A scaler's update that a guard leaves out is to come each time.
    """
    away = moved_away(repairs)
    every = frozenset[str]().union(*map(_told, before))
    for was, now in zip(before, after, strict=True):
        old, new = _told(was, away), _told(now)
        there = _told(was)
        if brought := (every & new.keys() if there else new.keys()) - there.keys():
            yield f"`{min(brought)}` would run where a guard leaves it out"
        for key, guards in old.items():
            lost = _taken(guards) - _taken(new.get(key, []))
            if lost and len(new.get(key, [])) > len(guards):
                yield f"`{min(lost)}` leaves it out at times"


def _told(case: Case, places: set[Span] | None = None) -> dict[str, list[Sequence[Guard]]]:
    """The clips (at some places) by how they are written, with the guards of each."""
    found: dict[str, list[Sequence[Guard]]] = {}
    for event in case.of(Kind.CLIP):
        if places is None or _is_at(event, places):
            found.setdefault(event.text, []).append(event.guards)
    return found


def _is_at(event: Event, places: set[Span]) -> bool:
    return event.span in places or not places.isdisjoint(event.calls)


def _taken(guards: Iterable[Sequence[Guard]]) -> set[str]:
    return {guard.text for guard in chain.from_iterable(guards) if guard.taken}
