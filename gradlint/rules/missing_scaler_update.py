"""A scaler that never learns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gradlint.account.case import Case
from gradlint.account.names import called
from gradlint.model.books import Book, Update
from gradlint.model.events import Deed, Event, Guard, Kind
from gradlint.model.finding import Safety, Severity, Span
from gradlint.model.ledger import Field
from gradlint.model.placed import line_of
from gradlint.rules.support.frozen_scales import frozen_scales
from gradlint.rules.support.hit import Hit
from gradlint.rules.support.rule import Rule
from gradlint.rules.support.scaler_steps import (
    is_updated,
    rescaled_steps,
    scaler_steps,
    skipped_updates,
    update_after_all,
    update_after_the_step,
    update_on_the_way_out,
)
from gradlint.rules.support.scaling import updates_of
from gradlint.rules.support.telling import line


class MissingScalerUpdate(Rule):
    """`scaler.step` with no `scaler.update()` before the next one."""

    name = "missing-scaler-update"
    category = "mixed-precision"
    severity = Severity.ERROR
    safety = Safety.SAFE
    summary = "`scaler.step` runs again before `scaler.update()` was called."
    reason = "PyTorch asks for one update after every `scaler.step`"
    effect = "The loss scale adapts, and the loop no longer ends in a RuntimeError."
    speaks = frozenset({Field.FAULT})
    mends = frozenset({Kind.UPDATE, Kind.UNSCALE})
    excused_by = frozenset({Deed.UPDATE})
    absence = rare = True

    def check(self, case: Case) -> Iterator[Hit]:
        """One hit for each scaler step whose update does not come."""
        for update, end in scaler_steps(case):
            if update.detail.scaler is not None and not is_updated(case, update.step, end):
                yield _missing(case, update, update.detail.scaler, end)
        yield from (_skipped(*found) for found in skipped_updates(case))
        yield from frozen_scales(case)
        yield from (_too_early(case, *found) for found in rescaled_steps(case))

    def cleared(self, case: Case) -> Iterable[Span]:
        """Scaler steps that an update always follows."""
        found = [(update.step.span, is_updated(case, update.step, end)) for update, end in scaler_steps(case)]
        early = {update.step.span for update, _, _ in rescaled_steps(case)}
        return {span for span, _ in found} - {span for span, updated in found if not updated} - early


def _missing(case: Case, update: Update, scaler: str, end: int) -> Hit:
    step = update.step
    backwards = {item.event.function for one in case.book_of(update).updates for item in one.consumed}
    alone = not case.scenario.looped and step.function not in backwards
    often = "not always" if updates_of(case, step) else "never"
    return (
        Hit.at(step)
        .says(f"`{step.text}` is {often} followed by `{called(scaler)}.update()`.")
        .because("`update()` resets the scaler's state for the next step and adapts the loss scale.")
        .costs("PyTorch raises a RuntimeError at the second step; with the scale frozen, overflows repeat forever.")
        .about(update.optimizer)
        .unless("the caller may update the scaler", when=alone)
        .between(step, end)
        .mended(*update_after_the_step(case, update))
    )


def _too_early(case: Case, update: Update, other: Event, renewal: Event) -> Hit:
    return (
        Hit.at(update.step)
        .says(f"`{renewal.text}` on {line(renewal)} comes between this step and the backward before it.")
        .because("It may choose another scale; the gradients that wait for this step were multiplied by the old one.")
        .costs("Each time that the scale changes, this optimizer steps with gradients of a wrong size.")
        .about(update.optimizer)
        .shows(renewal, f"the scale may change here, behind `{other.text}`")
        .mended(*update_after_all(case, update.step, other, renewal))
    )


def _skipped(book: Book, step: Event, update: Event, guard: Guard) -> Hit:
    what = f"`{guard.text}` on {line_of(guard.span)}"
    return (
        Hit.at(step)
        .says(f"When {what} skips this step it skips `{update.text}` too, after `unscale_` has run.")
        .because("`update()` resets the scaler's state; it has to run in every iteration in which `unscale_` ran.")
        .costs("PyTorch raises a RuntimeError at the next `unscale_`, in the iteration after the first bad gradient.")
        .about(book.optimizer)
        .shows(update, "skipped together with the step")
        .mended(update_on_the_way_out(update, guard))
    )
