"""What code reads of gradients around a step, which a repair may not take away from it.

opt.step()
clip_grad_norm_(params, 0.5)      bounds what is kept, not the update
memory.keep()                     reads the gradients, before the next backward
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from gradlint.account.names import called
from gradlint.model.books import place_of
from gradlint.model.events import Kind, Stamp

if TYPE_CHECKING:
    from gradlint.account.case import Case
    from gradlint.model.books import Update
    from gradlint.model.events import Event, Guard


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
    if not _read_clipped(before) <= _read_clipped(after):
        yield "gradients that are read behind the clip would be read ahead of it"
        return
    for update in (update for book in after.books for update in book.updates):
        last = max((clip.event.number for clip in update.clips), default=None)
        if last is not None and any(last < write.number < update.step.number for write in update.writes):
            yield "gradients are changed by hand between the clip and the step"
            return


def _read_clipped(case: Case) -> set[tuple[Stamp, int]]:
    """The readings of gradients that a clip stands right ahead of: when, and the how many'th of that iteration."""
    found, clipped, times = set[tuple[Stamp, int]](), False, Counter[Stamp]()
    for event in case.of(Kind.BACKWARD, Kind.STEP, Kind.CLIP, Kind.READ, Kind.ZERO):
        if event.kind is not Kind.READ:
            clipped = event.kind is Kind.CLIP
            continue
        times[event.stamp] += 1
        if clipped:
            found.add((event.stamp, times[event.stamp]))
    return found


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


def left_as_it_is(before: Case, after: Case) -> Iterator[str]:
    """Why a scale may stay too high, or PyTorch raise, where a guard skips a step whose gradients are still scaled."""
    known = {update.step.span.row for update in before.updates if _is_skipped_unknown(before, update)}
    if len({update.step.span.row for update in after.updates if _is_skipped_unknown(after, update)}) > len(known):
        yield "a guard skips the step, and the scaler would not be told of an overflow then"


def _is_skipped_unknown(case: Case, update: Update) -> bool:
    """Whether a guard that asks scaled gradients leaves out a step with the update, or any such guard the step alone.

    scaler.scale(loss).backward()
    if isfinite(norm(net)):
        scaler.step(opt)
        scaler.update()             never comes again, once the scale is too high
    """
    guard = next((one for one in reversed(update.own_guards) if not one.plain), None)
    if update.detail.via != "scaler" or update.unscales or not update.consumed or guard is None:
        return False
    last = max(item.order for item in update.consumed)
    steps = [other.step for other in case.updates if other.detail.scaler == update.detail.scaler]
    renewed = [one for one in case.of(Kind.UPDATE) if one.subject == update.detail.scaler]
    if not renewed or not all(_is_under(one, guard) for one in steps):
        return False
    asked = any(last < one.number < update.step.number for one in case.of(Kind.READ, Kind.CLIP))
    return asked or not all(_is_under(one, guard) for one in renewed)


def _is_under(event: Event, guard: Guard) -> bool:
    return any(one.span == guard.span for one in event.guards)


def cleared_in_part(case: Case, subject: str) -> bool:
    """Whether a clear between the backwards of an iteration leaves an update one of them, and takes another away."""
    for book in case.books:
        used = [item.event for update in book.updates for item in update.consumed]
        wiped = [*book.tail_wiped, *(pair for update in book.updates for pair in update.wiped)]
        for item, zero in wiped if book.optimizer == subject else ():
            now = zero.stamp
            if item.event.stamp[: len(now)] == now and any(one.stamp[: len(now)] == now for one in used):
                return True
    return False
