"""Moving the learning rate once for each micro-batch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gradlint.account.case import Case
from gradlint.model.books import Update
from gradlint.model.events import Deed, Event, Kind
from gradlint.model.finding import Safety, Severity
from gradlint.model.ledger import Field
from gradlint.rules.support.doubts import made_longer, window_stretch
from gradlint.rules.support.hit import Hit
from gradlint.rules.support.rule import Rule
from gradlint.rules.support.schedules import (
    by_engine,
    chosen,
    counted_in_updates,
    held_by_nobody,
    move_with_the_step,
    moves_within,
    plainest,
    searched,
    times_its_turns,
)
from gradlint.rules.support.sizes import in_words
from gradlint.rules.support.telling import line, spot


class SchedulerPerMicroBatch(Rule):
    """A scheduler that moves at every micro-batch while the optimizer steps once a window."""

    name = "scheduler-per-micro-batch"
    category = "scheduling"
    severity = Severity.ERROR
    safety = Safety.SAFE
    summary = "The learning-rate scheduler moves once per micro-batch although the optimizer steps once per window."
    reason = "schedules are counted in optimizer updates"
    effect = "The learning rate moves once for each update."
    speaks = frozenset({Field.SCHEDULE})
    mends = frozenset({Kind.SCHEDULE})
    excused_by = frozenset({Deed.STEP})

    def check(self, case: Case) -> Iterator[Hit]:
        """One hit for each scheduler that moves several times for one update."""
        for book in case.books:
            for update in plainest(book):
                moves = moves_within(update)
                if moves and len(update.batches) >= 2:
                    yield _hit(case, update, moves)
        yield from (_beside_engine(case, *found) for found in by_engine(case))


def _hit(case: Case, update: Update, moves: Sequence[Event]) -> Hit:
    move, step = moves[-1], update.step
    size = in_words(case, max(len(moves), len(update.batches)), update)
    return (
        Hit.at(spot(case, move, step))
        .says(f"`{move.text}` runs at every micro-batch, but `{step.text}` on {line(step)} only once for {size}.")
        .because("Schedules are counted in optimizer updates; move the scheduler where the optimizer steps.")
        .costs(f"The learning rate runs through its schedule {size} times too fast.")
        .of(case, update)
        .inside(move, step)
        .guarded(update)
        .shows(step, "the optimizer steps only here")
        .unless(*made_longer(case, move, step), *searched(case, move), *chosen(update, move), *held_by_nobody(move))
        .unless(*counted_in_updates(move), *times_its_turns(case, update, move))
        .unless(
            "how often the count in the guard around it lets it move cannot be seen", when=_counted_apart(update, moves)
        )
        .within(window_stretch(update))
        .mended(*move_with_the_step(case, update, move))
    )


def _counted_apart(update: Update, moves: Sequence[Event]) -> bool:
    """Whether the moves stand under a count of their own that nobody knows: `if self.tokens % self.per_update == 0:`."""
    around = {guard.span for item in update.consumed for guard in item.event.guards}
    own = (guard for move in moves for guard in move.guards if guard.span not in around)
    return any(guard.counted and not guard.known for guard in own)


def _beside_engine(case: Case, move: Event, step: Event, size: str) -> Hit:
    return (
        Hit.at(spot(case, move, step))
        .says(
            f"`{move.text}` runs at every micro-batch, but `{step.text}` on {line(step)} updates only once for {size}."
        )
        .because(
            "DeepSpeed counts the micro-batches itself; give it the scheduler, or move it at the boundary of its window."
        )
        .costs(f"The learning rate runs through its schedule {size} times too fast.")
        .inside(move, step)
        .shows(step, "an update only now and then")
        .unless(*made_longer(case, move, step))
    )
