"""Where a schedule moves among the loops of a training, and how its move gets behind the step.

for epoch in range(3):
    for batch in loader:
        loss(batch).backward()
        optimizer.step()
    scheduler.step()        in the loop over epochs, behind the step of its last batch
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from gradlint.account.case import Case
from gradlint.account.names import tail
from gradlint.model.books import Book, Update, real
from gradlint.model.edits import Delete, Repair
from gradlint.model.events import Backward, Event, Kind, Schedule, Stamp, Step
from gradlint.model.pattern import pattern
from gradlint.model.record import replace
from gradlint.rules.support.moves import after_step, at_each_step, synchronised


def searched(case: Case, move: Event) -> Iterator[str]:
    """The doubt that a function only looks for a rate: its schedule grows, and it returns what it has noted of it."""
    detail = move.detail
    grows = isinstance(detail, Schedule) and detail.grows
    if grows and any(span.line in case.program.searches for span in (move.span, *move.calls)):
        yield "it may only look for a rate: the schedule grows, and the rates that are noted are returned"


def loops(event: Event) -> Stamp:
    """The loops of the training around an event, from the outside: epochs, batches, micro-batches, calls."""
    return tuple(iteration for iteration in event.stamp if iteration.kind in ("epoch", "batch", "micro", "call"))


def chosen(update: Update, move: Event) -> Iterator[str]:
    """The doubt that an option says whether a schedule of somebody else moves with each batch: it may be made for that.

    if per_batch:                 and no question whether there is one: `if scheduler is not None:`
        scheduler.step()
    """
    detail = move.detail
    handed = isinstance(detail, Schedule) and _handed(detail)
    around = {guard.span for item in update.consumed for guard in item.event.guards}
    own = (guard for guard in move.guards if guard.span not in around and not (guard.plain or guard.counted))
    asked = re.compile(rf"\b{re.escape(tail(move.receiver))}\b")
    if handed and any(not asked.search(guard.text) for guard in own):
        yield "an option says whether it moves with each micro-batch, and how long it was made cannot be seen"


def counted_in_updates(move: Event) -> Iterator[str]:
    """The doubt that a schedule is meant for micro-batches, where nothing it is made from says that it is in updates.

    ExponentialLR(optimizer, 0.999), CosineAnnealingLR(optimizer, total_steps)

    In a loop of its own over the micro-batches of one update one without a length moves too often, and so does one that
    is as long as the loop around has turns, or that somebody hands over.
    """
    detail = move.detail
    if not isinstance(detail, Schedule) or not (
        detail.updates or (_is_inner(move) and (detail.endless or detail.epochs or _handed(detail)))
    ):
        yield _SO_LONG


def times_its_turns(case: Case, update: Update, move: Event) -> Iterator[str]:
    """The doubt that a schedule is as many times longer as an update has micro-batches, which its losses are shared by.

    CosineAnnealingLR(optimizer, T_max=updates * TASKS)         (loss / TASKS).backward()
    """
    made = move.detail.made if isinstance(move.detail, Schedule) else ""
    parts = [part for item in update.consumed for part in item.detail.factor.parts if part.divides]
    names = {tail(part.text) for part in parts if part.text}
    if parts and names.isdisjoint(map(tail, case.scenario.windows)):  # else the number only stands for one
        names.add(str(len(update.batches)))
    sizes = rf"(?:\w+\.)*(?:{'|'.join(map(re.escape, sorted(names)))})"
    if names and re.search(rf"\*\s*{sizes}(?![\w.])|(?<![\w./])(?<!/ ){sizes}\s*\*(?!\*)", made):
        yield "the schedule was made for micro-batches"


def _is_inner(move: Event) -> bool:
    return bool(move.stamp) and move.stamp[-1].kind == "micro"


def _handed(detail: Schedule) -> bool:
    """Whether nobody in sight makes a schedule."""
    return detail.origin in ("parameter", "free")


def held_by_nobody(move: Event) -> Iterator[str]:
    """The doubt that an object has its schedule from nobody in sight: who counts micro-batches makes it as long.

    self.__dict__.update(config.everything())
    """
    if isinstance(move.detail, Schedule) and move.detail.origin == "free" and "." in move.receiver:
        yield f"nobody in sight makes `{move.receiver}`, whose length may be counted in micro-batches"


_NUMBERED = pattern(r"\b(?:total_steps|num_training_steps)\s*=\s*\d[\d_]*\s*[,)]")
"""A schedule that ends after a number of moves: `OneCycleLR(optimizer, max_lr=0.1, total_steps=2100)`."""


_SO_LONG = "nothing shows whether the schedule's length is counted in updates or in micro-batches"


def numbered(move: Event, repairs: tuple[Repair, ...]) -> tuple[Repair, ...]:
    """Repairs that move a schedule: unsafe ones where a bare number says after how many moves it ends, or nothing does."""
    detail = move.detail
    unsaid = isinstance(detail, Schedule) and not detail.updates and _handed(detail)
    if not unsaid and not _NUMBERED.search(detail.made if isinstance(detail, Schedule) else ""):
        return repairs
    return tuple(replace(one, unsafe=True, doubt=_SO_LONG) for one in repairs)


def by_engine(case: Case) -> list[tuple[Event, Event, str]]:
    """Moves of the loop's own schedule beside every step of an engine that accumulates, with step and window."""
    backwards = [event.detail for event in case.of(Kind.BACKWARD) if isinstance(event.detail, Backward)]
    steps = [event for event in case.of(Kind.STEP) if isinstance(event.detail, Step)]
    parts = {part.number for detail in backwards for part in detail.factor.parts if part.library == "DeepSpeed"}
    engines = all(event.detail.via == "engine" for event in steps if isinstance(event.detail, Step))
    if len(parts) != 1 or not engines or len(backwards) != len(steps):
        return []
    found: dict[str, tuple[Event, Event, str]] = {}
    for move in case.of(Kind.SCHEDULE):
        own = isinstance(move.detail, Schedule) and move.detail.origin == "made" and not move.detail.framework
        step = next((step for step in steps if step.stamp == move.stamp and step.guards == move.guards), None)
        if own and step is not None and not getattr(move.detail, "positional", True):
            found.setdefault(move.subject, (move, step, str(1 / min(parts))))
    return list(found.values())


def move_with_the_step(case: Case, update: Update, move: Event) -> tuple[Repair, ...]:
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
        *at_each_step("Move the schedule with each step", case, update.optimizer, [move], after=True),
    )
    return numbered(move, found)


def plainest(book: Book) -> list[Update]:
    """The update that shows best how a schedule moves: one of a steady window, and of these the one with most moves."""

    def plainness(update: Update) -> tuple[bool, bool, int]:
        moves = len(moves_within(update))
        return not moves, len(update.batches) != book.window_of(update), -moves

    return sorted(book.updates, key=plainness)[:1]


def moves_within(update: Update) -> list[Event]:
    """The moves of one scheduler in several micro-batches of the window, but for those in a loop of their own.

    One over callbacks, of which one moves it in a method of its own, is none.
    """
    by_scheduler: dict[str, list[Event]] = {}
    deep = max((len(item.event.stamp) for item in update.consumed), default=0)
    around = {guard.span for item in update.consumed for guard in item.event.guards}
    often = Counter((event.subject, event.stamp[:deep]) for event in update.schedules)
    for event in update.schedules:
        guarded = any(guard.span not in around for guard in event.guards)
        callback = bool(event.calls) and not guarded and often[event.subject, event.stamp[:deep]] == 1
        once = len(event.stamp) <= deep or callback
        if once and isinstance(event.detail, Schedule) and not event.detail.positional:
            by_scheduler.setdefault(event.subject, []).append(event)
    inside = set(update.batches)
    if update.previous is not None:
        inside.add(real(update.previous.stamp))
    for events in by_scheduler.values():
        if len({stamp for event in events if (stamp := real(event.stamp[:deep])) in inside}) >= 2:
            return events
    return []
