"""Moving the learning rate once for each micro-batch."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from gradlint.books import Book, Update, real
from gradlint.edits import Delete, Repair
from gradlint.finding import Safety, Severity
from gradlint.ledger import Field
from gradlint.mend import after_step
from gradlint.rule import (
    Case,
    Hit,
    Rule,
    doubts,
    evidence,
    guard_related,
    inside,
    line,
    related,
    spot,
    tail,
    window_stretch,
)
from gradlint.trail import Deed, Event, Kind, Schedule


class SchedulerPerMicroBatch(Rule):
    """A scheduler that moves at every micro-batch while the optimizer steps once a window."""

    name = "scheduler-per-micro-batch"
    category = "scheduling"
    severity = Severity.ERROR
    safety = Safety.SAFE
    speaks = frozenset({Field.SCHEDULE})
    excused_by = frozenset({Deed.STEP})
    summary = "The learning-rate scheduler moves once per micro-batch although the optimizer steps once per window."
    reason = "schedules are counted in optimizer updates"
    effect = "The learning rate moves once for each update."
    mends = frozenset({Kind.SCHEDULE})

    def check(self, case: Case) -> Iterator[Hit]:
        """One hit for each scheduler that moves several times for one update."""
        for book in case.books:
            for update in sorted(book.updates, key=partial(_plainness, book))[:1]:
                moves = _moves(update)
                if moves and len(update.batches) >= 2:
                    yield self._hit(case, book, update, moves)

    def _hit(self, case: Case, book: Book, update: Update, moves: list[Event]) -> Hit:
        size = case.times(max(len(moves), len(update.batches)), update)
        return Hit(
            spot(case, moves[-1], update.step),
            f"`{moves[-1].text}` runs at every micro-batch, but `{update.step.text}` on {line(update.step)} only once for {size}.",
            "Schedules are counted in optimizer updates; move the scheduler where the optimizer steps.",
            f"The learning rate runs through its schedule {size} times too fast.",
            book.optimizer,
            (
                *inside(moves[-1], spot(case, moves[-1], update.step), update.step),
                *guard_related(update),
                related(update.step, "the optimizer steps only here"),
            ),
            evidence(update, book),
            (*doubts(update, case), *_counted(case, moves[-1], update.step)),
            _repairs(case, moves[-1], update.step),
            stretch=window_stretch(update),
        )


def _repairs(case: Case, move: Event, step: Event) -> tuple[Repair, ...]:
    """Where a move already goes with the step the others are too many; else they all become that one."""
    moves = [event for event in case.of(Kind.SCHEDULE) if event.subject == move.subject]
    meant = {event.span for event in moves if event.guards == step.guards and real(event.stamp) == real(step.stamp)}
    others = dict.fromkeys(event.span for event in moves if event.span not in meant)
    if meant and others:
        return (Repair("Move the schedule only with the step", tuple(Delete(span) for span in others)),)
    return after_step("Move the schedule with the step", case, move, step)


def _counted(case: Case, move: Event, step: Event) -> Iterator[str]:
    """A doubt, when the schedule was made that many times longer: it may count micro-batches on purpose.

    `total_steps=epochs * len(loader)` has one move for each batch; divided by the window it has not.
    """
    detail = move.detail if isinstance(move.detail, Schedule) else None
    made = detail.made if detail is not None else ""
    if detail is not None and detail.long:
        yield "the schedule is as long as all batches"
    if detail is not None and detail.origin == "factory":
        yield "how long the schedule was made cannot be seen"
    asked = (name for guard in step.guards for name in re.findall(r"%\s*([A-Za-z_][\w.]*)", guard.text))
    names = "|".join({re.escape(tail(name)) for name in (*case.windows, *asked)})
    if names and re.search(rf"\*\s*(?:\w+\.)*(?:{names})\b|\b(?:{names})\s*\*", made):
        yield "the schedule was made for micro-batches"


def _plainness(book: Book, update: Update) -> tuple[bool, bool, int]:
    """Updates of a steady window first, and of these the one that sees most moves."""
    moves = len(_moves(update))
    return not moves, len(update.batches) != book.window_of(update), -moves


def _moves(update: Update) -> list[Event]:
    """The moves of one scheduler in several micro-batches of the window."""
    by_scheduler: dict[str, list[Event]] = {}
    for event in update.schedules:
        if isinstance(event.detail, Schedule) and not event.detail.positional:
            by_scheduler.setdefault(event.subject, []).append(event)
    inside = set(update.batches)
    if update.previous is not None:
        inside.add(real(update.previous.stamp))
    for events in by_scheduler.values():
        if len({real(event.stamp) for event in events if real(event.stamp) in inside}) >= 2:
            return events
    return []
