"""Gradients left over when an epoch ends."""

from __future__ import annotations

from collections.abc import Iterator

from gradlint.account.case import Case
from gradlint.account.ledgers import evidence
from gradlint.model.books import Book, Contribution, Update
from gradlint.model.edits import Repair, Tail
from gradlint.model.events import Deed, Event, Kind
from gradlint.model.finding import Safety, Severity
from gradlint.model.ledger import Field
from gradlint.rules.support.counting import begins_early
from gradlint.rules.support.doubts import doubts, partly_cleared
from gradlint.rules.support.moves import boundary
from gradlint.rules.support.rule import Hit, Rule
from gradlint.rules.support.telling import line, related

_SHRINKS = "the window may shrink to what is left"


class DroppedAccumulationTail(Rule):
    """The last, ragged window of an epoch leaks into the next epoch, or is thrown away."""

    name = "dropped-accumulation-tail"
    category = "accumulation"
    severity = Severity.WARNING
    safety = Safety.UNSAFE
    speaks = frozenset({Field.WINDOW})
    excused_by = frozenset({Deed.STEP, Deed.CLEAR})
    summary = (
        "Micro-batches left over at the end of an epoch are not stepped and leak into the next epoch's first window."
    )
    reason = "an epoch gets one update more, so a schedule's length may change"
    effect = "The last micro-batches of an epoch are used in their own epoch."
    yields_to = frozenset({"zero-grad-in-accumulation", "missing-zero-grad", "zero-grad-before-step"})
    mends = frozenset({Kind.STEP})

    def check(self, case: Case) -> Iterator[Hit]:
        """One hit for each step guard that leaves a tail behind."""
        for book in case.books:
            leaked = _leaked(book)
            if leaked is not None:
                yield self._leak(case, book, *leaked)
            else:
                for item, zero in book.tail_wiped[:1]:
                    update = _meant_for(book, item)
                    if (book.window_of(update) or 1) > 1:
                        yield self._discard(case, book, update, item, zero)

    def _leak(self, case: Case, book: Book, update: Update, old: list[Contribution]) -> Hit:
        size = book.window_of(update) or 1
        window = case.times(size, update)
        total = str(2 * size - 1) if window == str(size) else f"2 * {window} - 1"
        return Hit(
            update.place,
            f"Micro-batches left over at the end of an epoch are not stepped on {line(update.step)}; "
            "they leak into the first update of the next epoch.",
            "The guard is true only at full windows, so a loader whose length is no multiple of the window leaves a rest.",
            f"That update sums up to {total} micro-batches "
            f"{'with weights meant for' if _divided(update) else 'instead of'} {window}, from two epochs."
            if len(update.consumed_batches) > size
            else "That update is made of what one epoch has left and of what the next one begins with.",
            book.optimizer,
            (related(old[0].event, "the last micro-batches of the epoch stay in the gradients"),),
            evidence(update, book),
            (*doubts(update, case), *(_SHRINKS for name in case.windows if "min(" in name)),
            _repairs(update),
            stretch=(old[0].event.number, update.step.number),
        )

    def _discard(self, case: Case, book: Book, update: Update, item: Contribution, zero: Event) -> Hit:
        mistaken = _mistaken(book, zero)
        return Hit(
            update.place,
            f"Micro-batches left over at the end of an epoch are not stepped on {line(update.step)} and are then cleared.",
            "The guard is true only at full windows.",
            f"Up to {case.times(book.window_of(update) or 1, update)} - 1 micro-batches of every epoch are computed and thrown away"
            + (
                f"; once {line(zero)} no longer clears too much, they leak into the next epoch."
                if mistaken
                else ", as with drop_last."
            ),
            book.optimizer,
            (related(item.event, "these gradients are never used"),),
            doubts=tuple(partly_cleared(zero, update)) if mistaken else ("the rest is cleanly discarded",),
            repairs=_repairs(update),
            stands=mistaken,
            stretch=(item.event.number, zero.number),
        )


def _divided(update: Update) -> bool:
    return any(item.factor.divided for item in update.consumed)


def _mistaken(book: Book, zero: Event) -> bool:
    """True of a zero that clears the window itself, under the window's own test: it was not meant for the rest."""
    for update in book.updates:
        if any(other.span == zero.span for _, other in update.wiped):
            around = {guard.text for item in update.consumed for guard in item.event.guards}
            tests = {guard.text for guard in update.step.guards if guard.known} - around
            return any(guard.known and guard.text in tests for guard in zero.guards)
    return False


def _meant_for(book: Book, item: Contribution) -> Update:
    """The update that a micro-batch came too late for: the last one before it in its loop, else any."""
    loops = [iteration.loop for iteration in item.batch]
    before = [one for one in book.updates if one.step.number < item.event.number and one.consumed_batches]
    loop = [one for one in before if [iteration.loop for iteration in one.consumed_batches[-1]] == loops]
    return (loop or book.updates)[-1]


def _leaked(book: Book) -> tuple[Update, list[Contribution]] | None:
    """An update that consumed more than a window because of an earlier epoch, and what it inherited."""
    for update in book.updates:
        window = book.window_of(update) or 1
        old = [item for item in update.consumed if item.epoch != update.consumed[-1].epoch]
        if old and window > 1 and (len(update.consumed_batches) > window or begins_early(book, update, len(old))):
            return update, old
    return None


def _repairs(update: Update) -> tuple[Repair, ...]:
    span, _ = boundary(update)
    return () if span is None else (Repair("Step at the end of the loader, too", (Tail(span),)),)
