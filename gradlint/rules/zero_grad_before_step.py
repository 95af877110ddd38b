"""Clearing the gradients just before they would be used."""

from __future__ import annotations

from collections.abc import Iterator

from gradlint.account.case import Case
from gradlint.account.ledgers import evidence
from gradlint.model.books import Book, Update
from gradlint.model.events import Deed, Event, Guard, Kind
from gradlint.model.finding import Safety, Severity
from gradlint.model.ledger import Field
from gradlint.rules.support.doubts import brought_back, doubts
from gradlint.rules.support.moves import after_others, after_step, before_window, clear_after
from gradlint.rules.support.rule import Hit, Rule
from gradlint.rules.support.telling import inside, line, related, spot


class ZeroGradBeforeStep(Rule):
    """A zero between the backward and the step: the step finds nothing."""

    name = "zero-grad-before-step"
    category = "lifecycle"
    severity = Severity.ERROR
    safety = Safety.SAFE
    speaks = frozenset({Field.WINDOW, Field.OLD, Field.OTHERS})
    excused_by = frozenset({Deed.ADD, Deed.STEP})
    summary = "The gradients are zeroed between the backward and the step, so the step has nothing to apply."
    reason = "zero_grad and step only change places"
    effect = "The optimizer uses the gradients that were computed for it."
    mends = frozenset({Kind.ZERO})

    def check(self, case: Case) -> Iterator[Hit]:
        """One hit for each zero after which a step has nothing left."""
        for book in case.books:
            for update in book.updates:
                if update.wiped and not update.consumed and not brought_back(update, update.wiped[-1][1]):
                    yield self._hit(case, book, update)
                    break

    def _hit(self, case: Case, book: Book, update: Update) -> Hit:
        item, zero = update.wiped[-1]
        found = list(doubts(update, case))
        if not item.sure:
            found.append("several optimizers share this backward")
        if (switch := _dropped(case, update, zero)) is not None:
            found.append(f"`if {switch.text}` may drop the update on purpose")
        return Hit(
            spot(case, zero, update.step),
            f"The gradients that `{item.event.text}` computes on {line(item.event)} are cleared before "
            f"`{update.step.text}` on {line(update.step)} can use them.",
            "zero_grad() belongs after the step or before the backward pass.",
            "The step finds no gradients: the model does not learn, only weight decay and momentum move it.",
            book.optimizer,
            (
                related(item.event, "computed here"),
                related(update.step, "nothing left to use here"),
                *inside(zero, spot(case, zero, update.step), update.step),
            ),
            evidence(update, book),
            tuple(found),
            (
                *after_step("Clear the gradients after the step", case, zero, update.step),
                *clear_after("Clear the gradients after the step", case, zero, update),
                *before_window("Clear the gradients before the forward pass", case, update, zero),
                *after_others("Clear the gradients after the steps", case, update, zero),
            ),
            stretch=(item.event.number, update.step.number),
        )


def _dropped(case: Case, update: Update, zero: Event) -> Guard | None:
    """`if ignore: optimizer.zero_grad()`: a switch that does nothing else, and that backward and step do not ask."""
    item, _ = update.wiped[-1]
    asked = {guard.text for event in (item.event, update.step) for guard in event.guards}
    others = {guard.span for event in case.events if event.kind is not Kind.ZERO for guard in event.guards}
    return next(
        (
            guard
            for guard in zero.guards
            if guard.taken and not (guard.plain or guard.jump or guard.text in asked or guard.span in others)
        ),
        None,
    )
