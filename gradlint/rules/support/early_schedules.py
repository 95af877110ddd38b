"""A schedule that moves before its optimizer has stepped: whether it may mean to, and how it gets behind the step.

for batch in loader:
    scheduler.step()        skips the first rate
    loss(batch).backward()
    optimizer.step()
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gradlint.account.case import Case
from gradlint.model.books import Update
from gradlint.model.edits import Move, Repair
from gradlint.model.events import Event, Guard, Kind, Schedule
from gradlint.model.pattern import pattern
from gradlint.model.record import replace
from gradlint.rules.support.moves import after_step, nothing_else, within
from gradlint.rules.support.schedules import loops
from gradlint.rules.support.telling import place


def behind_the_step(case: Case, event: Event, step: Event) -> tuple[Repair, ...]:
    """The repairs by which a schedule moves once the optimizer has stepped.

    Args:
        case: what happened.
        event: the move that comes too early.
        step: the optimizer's step behind which it belongs.
    """
    between = case.events[event.number : step.number]
    ahead = any(one.kind in (Kind.FORWARD, Kind.BACKWARD) for one in between)
    repairs = tuple(_cautious(event.detail, repair, ahead=ahead) for repair in _moved(case, event, step))
    if any(_is_later(guard) and guard.known for guard in event.guards):
        doubt = "since which epoch it moves is a setting, and others than this one may be made for where it stands"
        repairs = tuple(replace(repair, unsafe=True, doubt=repair.doubt or doubt) for repair in repairs)
    if isinstance(event.detail, Schedule) and event.detail.cls == "MultiStepLR" and _from_one(case, event):
        doubt = "its milestones may be counted from one, as the loop counts"
        return tuple(replace(repair, unsafe=True, doubt=repair.doubt or doubt) for repair in repairs)
    return repairs


def _moved(case: Case, event: Event, step: Event) -> tuple[Repair, ...]:
    title = "Move the schedule behind the step"
    call, behind = place(event, step), place(step, event)
    if len(loops(event)) < len(loops(step)) or not set(step.guards) <= set(event.guards):
        if not nothing_else(case, call, [event]):
            own = Move((event.span,), call, last=True, step=behind)
            return tuple(Repair(title, (move,)) for move in (own, replace(own, ways=True)))
        end = Move((call,), call, last=True, only=within(event, call), step=behind)
        out = Move((call,), call, out=True, only=end.only)
        alone = [] if call == event.span else [Move((event.span,), call, last=True, step=behind)]
        return tuple(Repair(title, (move,)) for move in (end, out, *alone, replace(end, ways=True)))
    end = Move((event.span,), behind, last=True, step=behind)  # it may step once more in the same iteration
    return (*after_step(title, case, event, step), Repair(title, (end,)))


def _cautious(detail: object, repair: Repair, *, ahead: bool) -> Repair:
    """What a class of somebody else's does in its first move nobody sees, and from where a function counts.

    Right at the step, behind the backward, the two have changed places; `ahead` of it they may be meant so.
    """
    if isinstance(detail, Schedule) and detail.positional:
        return replace(repair, unsafe=True, doubt="the loop may count the places of its schedule from one")
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


def apart(event: Event) -> bool:
    """Whether it happens in a loop that is no loop over epochs or batches."""
    return any(iteration.kind == "other" for iteration in event.stamp)


def early_doubts(case: Case, event: Event) -> Iterator[str]:
    """Why a schedule may move first on purpose, or for another optimizer."""
    detail = event.detail
    if isinstance(detail, Schedule) and detail.optimizer is None and (_whose(case, event) or _has_another(case)):
        yield "which optimizer it belongs to cannot be seen"
    if isinstance(detail, Schedule):
        yield from _unseen(detail)
        if not detail.told and any(guard.taken and _BY_FUNCTION.search(guard.text) for guard in event.guards):
            yield "it is asked for a schedule by a function, or one that warms up: its first rate may be 0"
        if detail.positional and detail.cls in _PIECEWISE:
            yield "its rates change at a few places, which may be counted from one, as the loop counts"
    if _takes_over(case, event):
        yield "it may take over from another schedule once the optimizer has stepped for long"
    elif any(_is_of_later(guard) for guard in event.guards if guard not in _of_steps(case)):
        yield "it moves from a later epoch on, when the optimizer has stepped"
    if _beside(case, event):
        yield "a loop of its own moves it on, besides the moves that go with the steps"


def _is_of_later(guard: Guard) -> bool:
    """Whether it is the other way of a question whether a count has come to a number: of `if epoch <= warmup:`."""
    return not guard.known and not guard.taken and _UP_TO.search(guard.text) is not None


def _of_steps(case: Case) -> set[Guard]:
    """The guards around the steps of optimizers."""
    return {guard for event in case.of(Kind.STEP) for guard in event.guards}


def _from_one(case: Case, event: Event) -> bool:
    """Whether a loop around it, or around the call that led there, counts from one."""
    return any(span.line in case.program.from_one for span in (event.span, *event.calls))


def _takes_over(case: Case, event: Event) -> bool:
    """Whether it moves from an epoch on that nobody sees, and another schedule moves before: `epoch >= swa_start`."""
    begins = {guard.span for guard in event.guards if guard.taken and not guard.known and _FROM.search(guard.text)}
    others = (one for one in case.of(Kind.SCHEDULE) if one.subject != event.subject) if begins else ()
    return any(begins.isdisjoint(guard.span for guard in one.guards if guard.taken) for one in others)


_FROM = pattern(
    r"(?i)^(?!.* or )(?:.* and )?\(?(?:self\.)?(?:cur_|current_|global_)?(?:epoch|step|iter)s? >=? (?!-|0\b)[\w.\[\]()'\"]+(?: and .*)?$"
)
"""A question whether a count has come to a number."""

_UP_TO = pattern(
    r"(?i)^(?!.* and )(?:self\.)?(?:cur_|current_|global_)?(?:epoch|step|iter)s? <=? (?!0\b)[\w.\[\]()'\"]+(?: or .*)?$"
)
"""A question whether it has not yet: `if epoch < args.warmup: ... else: schedule.step()`."""

_BY_FUNCTION = pattern(r"(?i)(?:==|\bin\b)[^=]*['\"][\w-]*(?:lambda|warm_?-?up)[\w-]*['\"]")
"""A question by its name for a schedule that may begin at 0: `kind == "lambda"`, `kind in ("linear_warmup", "step")`."""

_PIECEWISE = frozenset({"StepLR", "MultiStepLR", "ConstantLR"})


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


def _has_another(case: Case) -> bool:
    """Whether each optimizer has a schedule that is known to be its own: `for part in losses: part.scheduler.step()`."""
    details = (one.detail for one in case.of(Kind.SCHEDULE))
    known = {detail.optimizer for detail in details if isinstance(detail, Schedule) and detail.told}
    return all(book.optimizer in known for book in case.books)


def _beside(case: Case, event: Event) -> bool:
    """Whether it is moved several times in a loop for that, and once for each update elsewhere: to anneal."""
    moves = [one for one in case.of(Kind.SCHEDULE) if one.subject == event.subject and one.span != event.span]
    return apart(event) and not all(map(apart, moves))


def is_early(update: Update, event: Event) -> bool:
    """In the loop, without a metric, or an epoch that is none of its first; of frameworks, Accelerate leaves the order.

    A schedule that is told an epoch sets the rate itself: it is early where the first one that it is told is not 0.
    """
    detail = event.detail
    if not isinstance(detail, Schedule) or detail.framework not in ("", "accelerate"):
        return False
    if detail.positional and not (detail.beyond and detail.told):
        return False
    inside, around = loops(event), loops(update.step)
    if any(_is_later(guard) and not guard.known for guard in event.guards):
        return False
    asked = any(not (guard.taken and _GIVEN.search(guard.text)) for guard in event.guards)
    if [iteration.kind for iteration in inside] == ["call"] and (
        asked or [iteration.kind for iteration in around[1:]] != ["batch"]
    ):
        return False  # not at the head of each epoch
    return bool(inside) and inside == around[: len(inside)]


def _is_later(guard: Guard) -> bool:
    """Whether it is asked for a later epoch than the first: never so, unless the limit is known to be below it."""
    return guard.taken and _LATER.search(guard.text) is not None


_LATER = pattern(r"(?i)^(?!.* or )(?:.* and )?\(?(?:self\.|cur_|current_)?epoch > (?!-)[\w.\[\]'\"]+\)?(?: and .*)?$")
"""A question that the first epoch says no to, unless the limit lies below it: `epoch > args.warmup_epochs`."""

_GIVEN = pattern(r"(?i)^[\w.]*sched\w*(?: is not None)?$")
"""A question whether there is a scheduler at all."""


def catches_up(case: Case, event: Event) -> bool:
    """A single move ahead of all batches, beside those that go with the steps: the first rate is left out."""
    elsewhere = any(one.subject == event.subject and one.span != event.span for one in case.of(Kind.SCHEDULE))
    return elsewhere and [iteration.kind for iteration in loops(event)] == ["call"]
