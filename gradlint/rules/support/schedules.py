"""Where a schedule moves among the loops of a training, and how its move gets behind the step.

for epoch in range(3):
    for batch in loader:
        loss(batch).backward()
        optimizer.step()
    scheduler.step()        in the loop over epochs, behind the step of its last batch
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from gradlint.account.case import Case
from gradlint.model.edits import Move, Repair
from gradlint.model.events import Event, Kind, Schedule, Stamp
from gradlint.rules.support.moves import after_step, nothing_else, within
from gradlint.rules.support.telling import place


def behind_the_step(case: Case, event: Event, step: Event) -> tuple[Repair, ...]:
    """The repairs by which a schedule moves once the optimizer has stepped.

    Args:
        case: what happened.
        event: the move that comes too early.
        step: the optimizer's step behind which it belongs.
    """
    between = case.events[event.number : step.number]
    ahead = any(one.kind is Kind.FORWARD for one in between)
    return tuple(_cautious(event.detail, repair, ahead=ahead) for repair in _moved(case, event, step))


def _moved(case: Case, event: Event, step: Event) -> tuple[Repair, ...]:
    title = "Move the schedule behind the step"
    if len(loops(event)) < len(loops(step)):
        call = place(event, step)
        if not nothing_else(case, call, [event]):
            return (Repair(title, (Move((event.span,), call, last=True),)),)
        whole = [Move((call,), call, last=not out, out=out, only=within(event, call)) for out in (False, True)]
        alone = [] if call == event.span else [Move((event.span,), call, last=True)]
        return tuple(Repair(title, (move,)) for move in (*whole, *alone))
    return after_step(title, case, event, step)


def _cautious(detail: object, repair: Repair, *, ahead: bool) -> Repair:
    """What a class of somebody else's does in its first move nobody sees, and from where a function counts.

    Right at the step, behind the forward, the two have changed places; `ahead` of it they may be meant so.
    """
    counts = isinstance(detail, Schedule) and (detail.begins == "sure" or (ahead and bool(detail.begins)))
    if not isinstance(detail, Schedule) or (detail.told and not counts):
        return repair
    doubt = "nobody in sight says what the scheduler is, and its first move may set the first rate"
    if counts:
        doubt = "its function may count the moves from one, and skip what it gives for none"
    return replace(repair, unsafe=True, doubt=doubt)


def together(case: Case, event: Event, sure: Iterable[Event], repairs: tuple[Repair, ...]) -> tuple[Repair, ...]:
    """Repairs of a move, unsafe ones where another schedule moves too early beside it, and may stay there."""
    known = {one.subject for one in sure if isinstance(one.detail, Schedule) and one.detail.told}
    for other in case.of(Kind.SCHEDULE):
        same = other.function == event.function and loops(other) == loops(event)
        if same and other.subject not in {*known, event.subject} and _too_early(case, other):
            doubt = f"`{other.text}` moves as early, and nobody is sure that it has to move as well"
            return tuple(replace(one, unsafe=True, doubt=one.doubt or doubt) for one in repairs)
    return repairs


def _too_early(case: Case, event: Event) -> bool:
    """Whether a schedule, one that counts its moves, moves before its optimizer has ever stepped."""
    detail = event.detail
    if not isinstance(detail, Schedule) or detail.positional or detail.framework:
        return False
    steps = [one for one in case.of(Kind.STEP) if detail.optimizer in (None, one.subject)]
    return not any(one.number < event.number for one in steps)


def searched(case: Case, move: Event) -> Iterator[str]:
    """The doubt that a function only looks for a rate: its schedule grows, and it returns what it has noted of it."""
    detail = move.detail
    grows = isinstance(detail, Schedule) and detail.grows
    if grows and any(span.row in case.searches for span in (move.span, *move.calls)):
        yield "it may only look for a rate: the schedule grows, and the rates that are noted are returned"


def loops(event: Event) -> Stamp:
    """The loops of the training around an event, from the outside: epochs, batches, micro-batches, calls."""
    return tuple(iteration for iteration in event.stamp if iteration.kind in ("epoch", "batch", "micro", "call"))


def apart(event: Event) -> bool:
    """Whether it happens in a loop that is no loop over epochs or batches."""
    return any(iteration.kind == "other" for iteration in event.stamp)
