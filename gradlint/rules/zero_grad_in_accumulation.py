"""Wiping what the window has gathered."""

from __future__ import annotations

from collections.abc import Iterator

from gradlint.account.case import Case
from gradlint.model.books import Book, Contribution, Update
from gradlint.model.events import Deed, Event, Kind
from gradlint.model.finding import Safety, Severity
from gradlint.model.ledger import Field
from gradlint.rules.support.hit import Hit
from gradlint.rules.support.lost import (
    IN_PART,
    clear_once,
    for_itself,
    in_part,
    keep_the_loss,
    lost_of_window,
    lost_term,
)
from gradlint.rules.support.rule import Rule
from gradlint.rules.support.sizes import in_words
from gradlint.rules.support.telling import line, spot


class ZeroGradInAccumulation(Rule):
    """Gradients of earlier micro-batches are cleared before the step that should use them."""

    name = "zero-grad-in-accumulation"
    category = "accumulation"
    severity = Severity.ERROR
    safety = Safety.SAFE
    summary = "Gradients are zeroed inside the accumulation window, before the step has used them."
    reason = "the gradients of a window are cleared once they are used"
    effect = "Every micro-batch of the window counts."
    speaks = frozenset({Field.WINDOW, Field.OLD, Field.OTHERS})
    mends = frozenset({Kind.ZERO})
    excused_by = frozenset({Deed.STEP, Deed.ADD})

    def check(self, case: Case) -> Iterator[Hit]:
        """One hit for each zero that wipes a window's earlier micro-batches, or one of several losses."""
        for book in case.books:
            for update in book.updates:
                if wiped := lost_of_window(case, book, update):
                    yield _of_window(case, book, update, wiped)
                elif update.consumed and (lost := lost_term(case, update)) and not for_itself(*lost, update):
                    yield _of_losses(case, update, *lost)


def _of_window(case: Case, book: Book, update: Update, wiped: list[tuple[Contribution, Event]]) -> Hit:
    (item, zero), step = wiped[0], update.step
    left = len(update.consumed_batches)
    size = in_words(case, len({lost.batch for lost, _ in wiped}) + left, update)
    clears = f"`{zero.text}`" if zero.text else "This loop"
    remains = "only the last one is" if left == 1 else f"only {left} are"
    return (
        Hit.at(spot(case, zero, step))
        .says(
            f"{clears} clears the gradients that {size} micro-batches should gather for `{step.text}` on {line(step)}."
        )
        .because("It runs between the backward passes of one window, so what earlier micro-batches added is lost.")
        .costs(f"Of {size} micro-batches in an update {remains} used; the work on the others is lost.")
        .of(case, update)
        .inside(zero, step)
        .guarded(update)
        .shows(step, f"the window of {size} ends here")
        .unless(IN_PART, when=in_part(update, item, zero))
        .between(item.event, step)
        .mended(*clear_once(case, book, update, zero))
    )


def _of_losses(case: Case, update: Update, item: Contribution, zero: Event) -> Hit:
    return (
        Hit.at(zero)
        .says(
            f"`{zero.text}` clears what `{item.event.text}` on {line(item.event)} has added for "
            f"`{update.step.text}` on {line(update.step)}."
        )
        .because("It runs between the backward passes of one update, so the loss before it is lost.")
        .costs("The network learns from the later losses only; the work on the first is lost.")
        .of(case, update)
        .shows(item.event, "lost")
        .shows(update.step, "used here")
        .unless(IN_PART, when=in_part(update, item, zero))
        .between(item.event, update.step)
        .mended(*keep_the_loss(case, update, item, zero))
    )
