"""The scheduler moves before the optimizer has ever stepped."""

from __future__ import annotations

from collections.abc import Iterator

from gradlint.account.case import Case
from gradlint.model.books import Update
from gradlint.model.events import Deed, Event, Schedule
from gradlint.model.finding import Safety, Severity
from gradlint.model.ledger import Field
from gradlint.rules.support.doubts import doubts
from gradlint.rules.support.early_schedules import behind_the_step, catches_up, early_doubts, is_early, together
from gradlint.rules.support.hit import Hit
from gradlint.rules.support.rule import Rule
from gradlint.rules.support.telling import line


class SchedulerBeforeOptimizer(Rule):
    """`scheduler.step()` ahead of the first `optimizer.step()` of the loop."""

    name = "scheduler-before-optimizer"
    category = "scheduling"
    severity = Severity.WARNING
    safety = Safety.SAFE
    summary = "The scheduler moves before the optimizer has taken the step that belongs to the current learning rate."
    reason = "the scheduler only changes places with the step"
    effect = "The schedule starts with its first value."
    speaks = frozenset({Field.SCHEDULE})
    excused_by = frozenset({Deed.STEP})
    yields_to = frozenset({"scheduler-per-micro-batch"})

    def check(self, case: Case) -> Iterator[Hit]:
        """One hit for each scheduler that moves first."""
        early = [
            (event, _hit(case, update, event), update.step)
            for book in case.books
            for update in book.updates[:1]
            for event in update.schedules
            if is_early(update, event) and not catches_up(case, event)
        ]
        sure = [event for event, hit, _ in early if not hit.doubts]
        for event, hit, step in early:
            yield hit.mended(*together(case, event, sure, behind_the_step(case, event, step)))


def _hit(case: Case, update: Update, event: Event) -> Hit:
    told = isinstance(event.detail, Schedule) and event.detail.positional
    first = "that is told a place behind its first one" if told else "that moves first"
    return (
        Hit.at(event)
        .says(f"`{event.text}` runs before `{update.step.text}` on {line(update.step)}.")
        .because(
            f"Since PyTorch 1.1 the optimizer steps first; a scheduler {first} skips the first value of its schedule."
        )
        .costs("The first learning rate is never used and the whole schedule is shifted by one.")
        .about(update.optimizer)
        .shows(update.step, "the optimizer steps only here")
        .unless(*doubts(case, update), *early_doubts(case, event))
        .between(0, event)
    )
