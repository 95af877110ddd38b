"""Moving the learning rate once for each micro-batch."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from gradlint.account.case import Case
from gradlint.account.ledgers import evidence
from gradlint.model.books import Book, Update, real
from gradlint.model.edits import Delete, Repair
from gradlint.model.events import Deed, Event, Kind, Schedule
from gradlint.model.finding import Safety, Severity
from gradlint.model.ledger import Field
from gradlint.rules.support.doubts import doubts, made_longer, window_stretch
from gradlint.rules.support.moves import after_step, numbered, synchronised
from gradlint.rules.support.rule import Hit, Rule
from gradlint.rules.support.schedules import searched
from gradlint.rules.support.telling import guard_related, inside, line, related, spot
from gradlint.rules.support.windows import by_engine


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
        for move, step, size in by_engine(case):
            yield _beside_engine(case, move, step, size)

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
            (*doubts(update, case), *made_longer(case, moves[-1], update.step), *searched(case, moves[-1])),
            _repairs(case, update, moves[-1]),
            stretch=window_stretch(update),
        )


def _beside_engine(case: Case, move: Event, step: Event, size: str) -> Hit:
    return Hit(
        spot(case, move, step),
        f"`{move.text}` runs at every micro-batch, but `{step.text}` on {line(step)} updates only once for {size}.",
        "DeepSpeed counts the micro-batches itself; give it the scheduler, or move it at the boundary of its window.",
        f"The learning rate runs through its schedule {size} times too fast.",
        related=(*inside(move, spot(case, move, step), step), related(step, "an update only now and then")),
        doubts=tuple(made_longer(case, move, step)),
    )


def _repairs(case: Case, update: Update, move: Event) -> tuple[Repair, ...]:
    """Where a move already goes with the step the others are too many; else they all become that one."""
    step = update.step
    moves = [event for event in case.of(Kind.SCHEDULE) if event.subject == move.subject]
    meant = {event.span for event in moves if event.guards == step.guards and real(event.stamp) == real(step.stamp)}
    others = dict.fromkeys(event.span for event in moves if event.span not in meant)
    if meant and others:
        return (Repair("Move the schedule only with the step", tuple(Delete(span) for span in others)),)
    found = (
        *synchronised("Move the schedule only when gradients synchronise", update, move),
        *after_step("Move the schedule with the step", case, move, step),
    )
    return numbered(move, found)


def _plainness(book: Book, update: Update) -> tuple[bool, bool, int]:
    """Updates of a steady window first, and of these the one that sees most moves."""
    moves = len(_moves(update))
    return not moves, len(update.batches) != book.window_of(update), -moves


def _moves(update: Update) -> list[Event]:
    """The moves of one scheduler in several micro-batches of the window, but for those in a loop of their own."""
    by_scheduler: dict[str, list[Event]] = {}
    deep = max((len(item.event.stamp) for item in update.consumed), default=0)
    for event in update.schedules:
        if len(event.stamp) <= deep and isinstance(event.detail, Schedule) and not event.detail.positional:
            by_scheduler.setdefault(event.subject, []).append(event)
    inside = set(update.batches)
    if update.previous is not None:
        inside.add(real(update.previous.stamp))
    for events in by_scheduler.values():
        if len({real(event.stamp) for event in events if real(event.stamp) in inside}) >= 2:
            return events
    return []
