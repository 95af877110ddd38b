"""Backward without the scale that the step will divide by."""

from __future__ import annotations

from collections.abc import Iterator

from gradlint.account.case import Case
from gradlint.model.books import Contribution, Update
from gradlint.model.events import Deed
from gradlint.model.finding import Safety, Severity
from gradlint.model.ledger import Field
from gradlint.rules.support.doubts import contradictory, stretch
from gradlint.rules.support.hit import Hit
from gradlint.rules.support.rule import Rule
from gradlint.rules.support.scaler_steps import is_unscaled, scale_the_loss
from gradlint.rules.support.telling import line


class UnscaledBackward(Rule):
    """A backward of an unscaled loss whose gradients go through `scaler.step`."""

    name = "unscaled-backward"
    category = "mixed-precision"
    severity = Severity.ERROR
    safety = Safety.SAFE
    summary = "A loss is backpropagated without `scaler.scale`, but its gradients are stepped through the scaler."
    reason = "the step divides by the very scale that the loss is multiplied by"
    effect = "The update uses true gradients."
    speaks = frozenset({Field.SCALE})
    excused_by = frozenset({Deed.SCALE, Deed.RESCALE, Deed.STEP})

    def check(self, case: Case) -> Iterator[Hit]:
        """One hit for each unscaled backward that a scaler step consumes."""
        for update in case.updates:
            if update.detail.via == "scaler":
                yield from (_hit(case, update, item) for item in update.consumed if is_unscaled(update, item))


def _for_an_input(case: Case, update: Update, item: Contribution) -> bool:
    """Whether a function without a step goes back, where gradients are looked at: a sampler, an attack."""
    return case.program.looks and item.event.function != update.step.function


def _from_out_of_sight(item: Contribution) -> bool:
    """Whether a function that nobody in sight calls is handed the loss: `def backward(self, loss):`."""
    return not item.detail.forwards and not item.event.calls and item.detail.loss.isidentifier()


def _hit(case: Case, update: Update, item: Contribution) -> Hit:
    mixed = any(other.detail.scaled_by for other in update.consumed)
    ending = "" if mixed else ", or PyTorch raises because nothing was scaled"
    return (
        Hit.at(item.event)
        .says(
            f"This loss is not scaled, but `{update.step.text}` on {line(update.step)} divides its gradients by the loss scale."
        )
        .because(
            "Every loss whose gradients go through `scaler.step` must be multiplied by `scaler.scale(loss)` first."
        )
        .costs(f"Its gradients come out 65536 times too small at the usual scale{ending}.")
        .of(case, update)
        .whenever()
        .shows(update.step, "divided by the scale here")
        .unless("its gradients may be meant for an input, and not for the step", when=_for_an_input(case, update, item))
        .unless("whoever hands over the loss may have scaled it", when=_from_out_of_sight(item))
        .unless("the gradient that it is given may be scaled already", when=item.detail.given)
        .unless("the backward and the step may exclude each other", when=contradictory(item.event, update.step))
        .within(stretch(update))
        .mended(*scale_the_loss(case, update, item))
    )
