"""Gradients left over when an epoch ends."""

from __future__ import annotations

from collections.abc import Iterator

from gradlint.account.case import Case
from gradlint.model.books import Book, Contribution, Update
from gradlint.model.events import Deed, Event, Kind
from gradlint.model.finding import Safety, Severity
from gradlint.model.ledger import Field
from gradlint.rules.support.counting import divides
from gradlint.rules.support.doubts import partly_cleared
from gradlint.rules.support.hit import Hit
from gradlint.rules.support.rule import Rule
from gradlint.rules.support.sizes import in_words
from gradlint.rules.support.tails import clears_the_window, goes_by_updates, leaked, meant_for, step_at_the_end
from gradlint.rules.support.telling import line


class DroppedAccumulationTail(Rule):
    """The last, ragged window of an epoch leaks into the next epoch, or is thrown away."""

    name = "dropped-accumulation-tail"
    category = "accumulation"
    severity = Severity.WARNING
    safety = Safety.UNSAFE
    summary = (
        "Micro-batches left over at the end of an epoch are not stepped and leak into the next epoch's first window."
    )
    reason = "an epoch gets one update more, so a schedule's length may change"
    effect = "The last micro-batches of an epoch are used in their own epoch."
    speaks = frozenset({Field.WINDOW})
    mends = frozenset({Kind.STEP})
    excused_by = frozenset({Deed.STEP, Deed.CLEAR})
    yields_to = frozenset({"zero-grad-in-accumulation", "missing-zero-grad", "zero-grad-before-step"})

    def check(self, case: Case) -> Iterator[Hit]:
        """One hit for each step guard that leaves a tail behind."""
        for book in case.books:
            found = leaked(book)
            if found is not None:
                yield _leak(case, book, *found)
            else:
                for item, zero in book.tail_wiped[:1]:
                    update = meant_for(book, item)
                    if (book.window_of(update) or 1) > 1:
                        yield _discard(case, book, update, item, zero)


def _leak(case: Case, book: Book, update: Update, old: Contribution) -> Hit:
    size = book.window_of(update) or 1
    window = in_words(case, size, update)
    whole = f"({window})" if " / " in window or " // " in window else window
    total = str(2 * size - 1) if window == str(size) else f"2 * {whole} - 1"
    meant = "with weights meant for" if divides(update) else "instead of"
    impact = "That update is made of what one epoch has left and of what the next one begins with."
    if len(update.consumed_batches) > size:
        impact = f"That update sums up to {total} micro-batches {meant} {window}, from two epochs."
    return (
        Hit.at(update.place)
        .says(
            f"Micro-batches left over at the end of an epoch are not stepped on {line(update.step)}; "
            "they leak into the first update of the next epoch."
        )
        .because(
            "The guard is true only at full windows, so a loader whose length is no multiple of the window leaves a rest."
        )
        .costs(impact)
        .of(case, update)
        .shows(old.event, "the last micro-batches of the epoch stay in the gradients")
        .unless(*("the window may shrink to what is left" for name in case.scenario.windows if "min(" in name))
        .between(old.event, update.step)
        .mended(*step_at_the_end(update, counted=goes_by_updates(case)))
    )


def _discard(case: Case, book: Book, update: Update, item: Contribution, zero: Event) -> Hit:
    mistaken = clears_the_window(book, zero)
    most = in_words(case, book.window_of(update) or 1, update)
    leak = f"; once {line(zero)} no longer clears too much, they leak into the next epoch."
    hit = (
        Hit.at(update.place)
        .says(
            f"Micro-batches left over at the end of an epoch are not stepped on {line(update.step)} and are then cleared."
        )
        .because("The guard is true only at full windows.")
        .costs(
            f"Up to {most} - 1 micro-batches of every epoch are computed and thrown away"
            + (leak if mistaken else ", as with drop_last.")
        )
        .about(book.optimizer)
        .shows(item.event, "these gradients are never used")
        .between(item.event, zero)
        .mended(*step_at_the_end(update))
    )
    if mistaken:
        return hit.unless(*partly_cleared(zero, update)).left_by_others()
    return hit.unless("the rest is cleanly discarded")
