"""The scheduler moves before the optimizer has ever stepped."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gradlint.account.case import Case
from gradlint.model.books import Book, Update
from gradlint.model.events import Deed, Event, Kind, Schedule
from gradlint.model.finding import Safety, Severity
from gradlint.model.ledger import Field
from gradlint.rules.support.doubts import doubts
from gradlint.rules.support.rule import Hit, Rule
from gradlint.rules.support.schedules import apart, behind_the_step, loops, together
from gradlint.rules.support.telling import line, related


class SchedulerBeforeOptimizer(Rule):
    """`scheduler.step()` ahead of the first `optimizer.step()` of the loop."""

    name = "scheduler-before-optimizer"
    category = "scheduling"
    severity = Severity.WARNING
    safety = Safety.SAFE
    speaks = frozenset({Field.SCHEDULE})
    excused_by = frozenset({Deed.STEP})
    summary = "The scheduler moves before the optimizer has taken the step that belongs to the current learning rate."
    reason = "the scheduler only changes places with the step"
    effect = "The schedule starts with its first value."
    yields_to = frozenset({"scheduler-per-micro-batch"})

    def check(self, case: Case) -> Iterator[Hit]:
        """One hit for each scheduler that moves first."""
        early = [
            (book, update, event)
            for book in case.books
            for update in book.updates[:1]
            for event in update.schedules
            if _early(update, event) and not _catches_up(case, event)
        ]
        sure = [event for _, update, event in early if not any(_doubts(case, update, event))]
        for book, update, event in early:
            yield self._hit(case, book, update, event, sure)

    def _hit(self, case: Case, book: Book, update: Update, event: Event, sure: list[Event]) -> Hit:
        return Hit(
            event.span,
            f"`{event.text}` runs before `{update.step.text}` on {line(update.step)}.",
            "Since PyTorch 1.1 the optimizer steps first; a scheduler that moves first skips the first value of its schedule.",
            "The first learning rate is never used and the whole schedule is shifted by one.",
            book.optimizer,
            (related(update.step, "the optimizer steps only here"),),
            doubts=tuple(_doubts(case, update, event)),
            repairs=together(case, event, sure, behind_the_step(case, event, update.step)),
            stretch=(0, event.number),
        )


def _doubts(case: Case, update: Update, event: Event) -> Iterator[str]:
    yield from doubts(update, case)
    detail = event.detail
    if _whose(case, event) and isinstance(detail, Schedule) and detail.optimizer is None:
        yield "which optimizer it belongs to cannot be seen"
    if isinstance(detail, Schedule):
        yield from _unseen(detail)
    if _beside(case, event):
        yield "a loop of its own moves it on, besides the moves that go with the steps"


def _unseen(detail: Schedule) -> Iterator[str]:
    if detail.origin == "factory":
        yield "the class of the scheduler cannot be seen"
    if detail.own:
        yield "a scheduler of the project's own may set the first rate with its first move"
    if detail.begins == "sure":
        yield "the function of the schedule counts its moves from one, and may skip its first value on purpose"
    if detail.nought:
        yield "the first rate of the schedule is 0, and may be skipped on purpose"


def _whose(case: Case, event: Event) -> bool:
    """Whether it matters to which optimizer the schedule belongs: one of them has stepped already."""
    return len(case.books) > 1 and any(
        book.updates and book.updates[0].step.number < event.number for book in case.books
    )


def _beside(case: Case, event: Event) -> bool:
    """Whether it is moved several times in a loop for that, and once for each update elsewhere: to anneal."""
    moves = [one for one in case.of(Kind.SCHEDULE) if one.subject == event.subject and one.span != event.span]
    return apart(event) and not all(map(apart, moves))


def _early(update: Update, event: Event) -> bool:
    """In the loop, without an explicit epoch or metric; of frameworks, Accelerate leaves the order to the loop."""
    detail = event.detail
    if not isinstance(detail, Schedule) or detail.positional or detail.framework not in ("", "accelerate"):
        return False
    inside, around = loops(event), loops(update.step)
    if any(guard.taken and _LATER.search(guard.text) for guard in event.guards):
        return False
    asked = any(not (guard.taken and _GIVEN.search(guard.text)) for guard in event.guards)
    if [iteration.kind for iteration in inside] == ["call"] and (
        asked or [iteration.kind for iteration in around[1:]] != ["batch"]
    ):
        return False  # not at the head of each epoch
    return bool(inside) and inside == around[: len(inside)]


_LATER = re.compile(
    r"(?i)^(?!.* or )(?:.* and )?\(?(?:self\.|cur_|current_)?epoch > (?!-)[\w.\[\]'\"]+\)?(?: and .*)?$"
)
"""A question that the first epoch says no to, whatever the limit: `epoch > args.warmup_epochs`."""

_GIVEN = re.compile(r"(?i)^[\w.]*sched\w*(?: is not None)?$")
"""A question whether there is a scheduler at all."""


def _catches_up(case: Case, event: Event) -> bool:
    """A single move ahead of all batches, beside those that go with the steps: the first rate is left out."""
    elsewhere = any(one.subject == event.subject and one.span != event.span for one in case.of(Kind.SCHEDULE))
    return elsewhere and [iteration.kind for iteration in loops(event)] == ["call"]
