"""What code reads of gradients around a step, which a repair may not take away from it.

opt.step()
clip_grad_norm_(params, 0.5)      bounds what is kept, not the update
memory.keep()                     reads the gradients, before the next backward
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gradlint.account.names import called
from gradlint.model.books import place_of
from gradlint.model.events import Kind

if TYPE_CHECKING:
    from gradlint.account.case import Case


def left_empty(case: Case) -> Iterator[str]:
    """Optimizers whose gradients are read and never there: a clear that a repair has moved may be meant for later."""
    for book in case.books:
        if book.updates and book.reads and not any(found for _, found in book.reads):
            yield f"where the gradients of `{called(book.optimizer)}` are read, there would be none"


def found_at_last(before: Case, after: Case) -> bool:
    """Whether gradients are read where they were, and each reading that found some still does."""
    was, now = ({called(book.optimizer): book.reads for book in case.books} for case in (before, after))
    return was.keys() == now.keys() and all(
        len(was[name]) == len(now[name])
        and all(
            place_of(a) == place_of(b) and (there or not had)
            for (a, had), (b, there) in zip(was[name], now[name], strict=True)
        )
        for name in was
    )


def of_clips(before: Case, after: Case) -> Iterator[str]:
    """Why a clip at another place may bound something else than it should."""
    yield from _bounded_for_reading(before)
    for update in (update for book in after.books for update in book.updates):
        last = max((clip.event.number for clip in update.clips), default=None)
        if last is not None and any(last < write.number < update.step.number for write in update.writes):
            yield "gradients are changed by hand between the clip and the step"
            return


def _bounded_for_reading(case: Case) -> Iterator[str]:
    """A clip between a step and what reads the gradients then: it may be there for that."""
    stepped = clipped = False
    for event in case.of(Kind.BACKWARD, Kind.STEP, Kind.CLIP, Kind.READ, Kind.ZERO):
        if event.kind in (Kind.BACKWARD, Kind.ZERO):
            stepped = clipped = False
        elif event.kind is Kind.STEP:
            stepped = True
        elif event.kind is Kind.CLIP:
            clipped = stepped
        elif clipped:
            yield "gradients are read behind the clip, before they are cleared: it may be there for that"
            return
