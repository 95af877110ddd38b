"""What PyTorch refuses, or makes no sense of, in a scenario; and gradients that nobody should use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from gradlint.account.case import Case
from gradlint.account.names import called
from gradlint.model.books import Contribution, Place, Update, place_of, real
from gradlint.model.events import Event, Kind, Stamp, Step


def faults(case: Case) -> Iterator[str]:
    """Calls that raise: methods of `None`, and what a `GradScaler` refuses in its state of that moment."""
    yield from case.scenario.log.faults
    yield from _mixed(case)
    yield from _outlived(case)
    scalers = {event.subject for event in case.of(Kind.UPDATE)}
    scalers |= {event.detail.scaler or "" for event in case.of(Kind.STEP) if isinstance(event.detail, Step)} - {""}
    if len(scalers) <= 1:
        yield from _refused(case)


def _mixed(case: Case) -> Iterator[str]:
    """Clips of several optimizers' gradients, of which some are still scaled and others are not: no norm is of both."""
    found: dict[int, set[bool]] = {}
    texts: dict[int, str] = {}
    for clip in (clip for book in case.books for update in book.updates for clip in update.clips):
        if clip.live and not clip.detail.infinite:
            found.setdefault(clip.event.number, set()).add(bool(clip.scaled))
            texts[clip.event.number] = clip.event.text
    yield from dict.fromkeys(
        f"`{texts[at]}` holds scaled gradients beside others" for at in found if len(found[at]) > 1
    )


def _outlived(case: Case) -> Iterator[str]:
    """Steps through a scaler whose update stands between them and a backward: it may divide by another scale."""
    renewed = [(event.number, event.subject) for event in case.of(Kind.UPDATE)]
    through = (update for book in case.books for update in book.updates if update.detail.via == "scaler")
    for step, item in ((update.step, item) for update in through for item in update.consumed):
        if any(item.order < at < step.number and scaler == item.detail.scaled_by for at, scaler in renewed):
            yield f"`{step.text}` divides by a scale that `update` may have changed"


def _refused(case: Case) -> Iterator[str]:
    """What one scaler refuses: `unscale_` twice, or after the step; a second step before its `update`."""
    unscaled: set[str] = set()
    stepped: set[str] = set()
    for event in case.of(Kind.UNSCALE, Kind.STEP, Kind.UPDATE):
        if event.kind is Kind.UPDATE:
            if not (unscaled or stepped):
                yield f"`{event.text}` finds nothing checked"
            unscaled.clear()
            stepped.clear()
        elif event.kind is Kind.UNSCALE:
            if event.subject in unscaled | stepped:
                yield f"`{event.text}` comes a second time"
            unscaled.add(event.subject)
        elif isinstance(event.detail, Step) and event.detail.via == "scaler":
            if event.subject in stepped:
                yield f"`{event.text}` comes a second time"
            stepped.add(event.subject)


def disputed(case: Case) -> frozenset[tuple[str, int, Place, str]]:
    """What updates use of which nobody knows that it is theirs, where another optimizer uses it, too."""
    users = Counter(
        item.event.number for book in case.books for update in book.updates for item in set(update.consumed)
    )
    return frozenset(
        (called(book.optimizer), update.number, place_of(item.event.stamp), item.event.text)
        for book in case.books
        for update in book.updates
        for item in update.consumed
        if not item.sure and users[item.event.number] > 1
    )


def spoiled(case: Case) -> tuple[tuple[str, int], ...]:
    """Which updates use the gradient of a micro-batch that went wrong: (optimizer, update) of each.

    An update that follows in the same iteration was to have what is its own: only a helper was left. One in a loop of
    its own in there may be one of several that are tried with the same gradient. Where a whole window went wrong, whose
    micro-batches are turns of a loop in that iteration, none of them is for an update of a later one.
    """
    if case.scenario.accident is None:
        return ()
    number, stamp = case.scenario.accident
    where = real(stamp)

    def bad(event: Event, batch: Stamp) -> bool:
        return event.number < number and batch == where

    def left(update: Update, item: Contribution) -> bool:
        within = len(item.batch) > len(where) and item.batch[: len(where)] == where
        return within and item.order < number < update.step.number and update.step.stamp[: len(stamp)] != stamp

    def used(update: Update) -> Iterator[Contribution]:
        yield from () if update.step.stamp == where else update.consumed
        yield from (*update.stale, *update.foreign)

    return tuple(
        (called(book.optimizer), update.number)
        for book in case.books
        for update in book.updates
        if any(bad(item.event, item.batch) for item in used(update))
        or any(left(update, one) for one in update.consumed)
    )
