"""Backward without the scale that the step will divide by."""

from __future__ import annotations

from collections.abc import Iterator

from gradlint.account.case import Case
from gradlint.account.ledgers import evidence
from gradlint.model.books import Book, Contribution, Update
from gradlint.model.edits import Choose, Loss, Repair
from gradlint.model.events import Deed
from gradlint.model.finding import Safety, Severity
from gradlint.model.ledger import Field
from gradlint.rules.support.doubts import contradictory, doubts, stretch
from gradlint.rules.support.moves import amp_guard, scaler_and_optimizer
from gradlint.rules.support.rule import Hit, Rule
from gradlint.rules.support.telling import line, related


class UnscaledBackward(Rule):
    """A backward of an unscaled loss whose gradients go through `scaler.step`."""

    name = "unscaled-backward"
    category = "mixed-precision"
    severity = Severity.ERROR
    safety = Safety.SAFE
    speaks = frozenset({Field.SCALE})
    excused_by = frozenset({Deed.SCALE, Deed.RESCALE, Deed.STEP})
    summary = "A loss is backpropagated without `scaler.scale`, but its gradients are stepped through the scaler."
    reason = "the step divides by the very scale that the loss is multiplied by"
    effect = "The update uses true gradients."

    def check(self, case: Case) -> Iterator[Hit]:
        """One hit for each unscaled backward that a scaler step consumes."""
        for book in case.books:
            for update in book.updates:
                if update.detail.via != "scaler":
                    continue
                for item in update.consumed:
                    if any(mark.number < item.event.number for mark in update.unscales):
                        continue  # what comes behind `unscale_` is as it is meant
                    if item.detail.scaled_by is None and not item.detail.framework and "scale" not in item.detail.loss:
                        yield self._hit(case, book, update, item)

    def _hit(self, case: Case, book: Book, update: Update, item: Contribution) -> Hit:
        mixed = any(other.detail.scaled_by for other in update.consumed)
        found = list(doubts(update, case))
        if contradictory(item.event, update.step):
            found.append("the backward and the step may exclude each other")
        return Hit(
            item.event.span,
            f"This loss is not scaled, but `{update.step.text}` on {line(update.step)} divides its gradients by the loss scale.",
            "Every loss whose gradients go through `scaler.step` must be multiplied by `scaler.scale(loss)` first.",
            "Its gradients come out 65536 times too small at the usual scale."
            if mixed
            else "Its gradients come out 65536 times too small at the usual scale, or PyTorch raises because nothing was scaled.",
            book.optimizer,
            (related(update.step, "divided by the scale here"),),
            evidence(update, book),
            tuple(found),
            _repairs(update, item),
            stretch=stretch(update),
        )


def _repairs(update: Update, item: Contribution) -> tuple[Repair, ...]:
    both = scaler_and_optimizer(update.step)
    if both is None:
        return ()
    loss = Loss(item.event.span, f"{both[0]}.scale({{}})")
    guard = amp_guard(update.step, item.event)
    return (Repair("Scale the loss", (Choose(guard, loss) if guard else loss,)),)
