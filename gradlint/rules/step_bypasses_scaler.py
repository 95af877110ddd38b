"""Stepping past the scaler."""

from __future__ import annotations

from collections.abc import Iterator

from gradlint.account.case import Case
from gradlint.account.names import called
from gradlint.model.books import Update
from gradlint.model.events import Deed, Event, Kind
from gradlint.model.finding import Safety, Severity
from gradlint.model.ledger import Field
from gradlint.rules.support.doubts import contradictory, stretch
from gradlint.rules.support.hit import Hit
from gradlint.rules.support.rule import Rule
from gradlint.rules.support.scaler_steps import bypassed_by, step_through
from gradlint.rules.support.telling import line


class StepBypassesScaler(Rule):
    """`optimizer.step()` where a scaled backward wants `scaler.step(optimizer)`."""

    name = "step-bypasses-scaler"
    category = "mixed-precision"
    severity = Severity.ERROR
    safety = Safety.SAFE
    summary = "The loss is scaled, but the optimizer is stepped directly instead of through the scaler."
    reason = "`scaler.step` does what the plain step does, with the scale taken out"
    effect = "Updates use true gradients, and overflows are skipped."
    speaks = frozenset({Field.SCALE})
    mends = frozenset({Kind.UPDATE, Kind.UNSCALE})
    excused_by = frozenset({Deed.UNSCALE, Deed.RESCALE})

    def check(self, case: Case) -> Iterator[Hit]:
        """One hit for each plain step that consumes gradients of a scaled loss."""
        for update in case.updates:
            backward = bypassed_by(update)
            if backward is not None:
                yield _hit(case, update, backward)


def _hit(case: Case, update: Update, backward: Event) -> Hit:
    impact = "The gradients are 65536 times too large at the usual scale, and overflows are never skipped."
    if not any(item.scaled for item in update.consumed):
        impact = "Steps with inf or NaN gradients are no longer skipped: one overflow destroys the weights."
    return (
        Hit.at(update.step)
        .says(f"`{update.step.text}` bypasses the scaler that scaled the loss on {line(backward)}.")
        .because(
            f"Only `scaler.step({called(update.optimizer)})` unscales the gradients and skips a step that overflowed."
        )
        .costs(impact)
        .of(case, update)
        .whenever()
        .shows(backward, "the loss is scaled here")
        .unless("the backward and the step may exclude each other", when=contradictory(backward, update.step))
        .unless("the gradients are rewritten by hand", when=update.writes)
        .within(stretch(update))
        .mended(*step_through(case, update, backward))
    )
