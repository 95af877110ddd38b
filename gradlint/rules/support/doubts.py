"""Why a finding might be wrong, and which stretch of a loop it is about."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gradlint.account.case import Case
from gradlint.account.names import tail
from gradlint.model.books import Book, Update
from gradlint.model.events import Backward, Event, Kind, Schedule, Stamp, Write, Zero
from gradlint.model.roots import owns, within
from gradlint.rules.support.telling import line

NO_WINDOW = ("the guard around the step cannot be computed", "nothing shows that the loop means to accumulate")
"""What is doubtful of an update whose window nobody can tell."""

TOO_LONG = "the loop is too long to run to its end"
SEVERAL = "several optimizers share this backward"


def doubts(case: Case, update: Update) -> tuple[str, ...]:
    """Why a finding about this update might be wrong, but for what happens out of sight."""
    found: list[str] = []
    if update.unsure:
        found.append(NO_WINDOW[0])
    if not all(item.sure for item in (*update.consumed, *update.stale)):
        found.append(SEVERAL)
    if len(update.batches) > 1 and not update.windowed:
        found.append(NO_WINDOW[1])
    managed = any(_counted_by(item.detail) is not None for item in update.consumed)
    if managed and _take_turns(case, update) and not (update.detail.params and _counted_once(case)):
        found.append("Accelerate counts the micro-batches of several optimizers")
    elif managed and _several_each(case):
        found.append("Accelerate counts several backwards of one batch")
    if case.scenario.truncated:
        found.append(TOO_LONG)
    return (*found, *dict.fromkeys(said for _, zero in update.wiped for said in partly_cleared(zero, update)))


def _several_each(case: Case) -> bool:
    """True when a batch goes backward at two places, each under an `accumulate` of its own: both are counted."""
    first: dict[Stamp, int] = {}
    for event in case.of(Kind.BACKWARD):
        number = _counted_by(event.detail) if isinstance(event.detail, Backward) else None
        if number is not None and first.setdefault(event.stamp, number) != number:
            return True
    return False


def _counted_once(case: Case) -> bool:
    """True when all backwards of a batch stand in one `accumulate`, and each batch has its own: so is each counted."""
    counts: dict[Stamp, int | None] = {}
    for event in case.of(Kind.BACKWARD):
        if isinstance(event.detail, Backward):
            batches = [place for place, iteration in enumerate(event.stamp, 1) if iteration.kind == "batch"]
            number = _counted_by(event.detail)
            if not batches or counts.setdefault(event.stamp[: batches[-1]], number) != number:
                return False
    return None not in counts.values() and len(set(counts.values())) == len(counts)


def _counted_by(backward: Backward) -> int | None:
    return backward.counted if backward.framework == "accelerate" else None


def _take_turns(case: Case, update: Update) -> bool:
    """True when another optimizer is at work while this update's is: that of the next fold comes afterwards."""
    spans = {book: _lifetime(book) for book in case.books if book.updates}
    own = next((book for book in spans if update in book.updates), None)
    if own is None:
        return len(case.books) > 1
    start, end = spans[own]
    return any(book is not own and first <= end and start <= last for book, (first, last) in spans.items())


def _lifetime(book: Book) -> tuple[int, int]:
    """The places in the event log of an optimizer's first gradient and of its last step."""
    numbers = [item.event.number for item in book.updates[0].consumed]
    return min(numbers, default=book.updates[0].step.number), book.updates[-1].step.number


def brought_back(update: Update, zero: Event) -> bool:
    """Whether gradients that were kept are put back before the step (an attack, a projection, private training)."""
    later = [write.detail for write in update.writes if write.number > zero.number]
    return any(isinstance(detail, Write) and detail.brought for detail in later)


def partly_cleared(zero: Event, update: Update) -> Iterator[str]:
    """Doubts about a zero: one of parameters that nobody can see leaves the others theirs, and it may begin a sum."""
    over = zero.detail.over if isinstance(zero.detail, Zero) else ""
    if over and update.detail.given != over:
        yield f"{line(zero)} may clear some of the parameters only"
    if isinstance(zero.detail, Zero) and _of_one_among_several(zero.detail, update):
        yield f"{line(zero)} may clear the parameters of one of several optimizers only"
    if isinstance(zero.detail, Zero) and zero.detail.own:
        yield f"`{zero.detail.own}` clears for a step of its own, which may have used them"
    begins = isinstance(zero.detail, Zero) and zero.detail.hand_written
    later = [write for write in update.writes if write.number > zero.number] if begins else []
    filled = next((one for one in later if isinstance(one.detail, Write) and one.detail.adds), None)
    if filled is not None:
        yield f"{line(filled)} fills gradients by hand"


def _of_one_among_several(detail: Zero, update: Update) -> bool:
    """Whether a step stands for those of several optimizers, and a zero names one of them, or one of their networks.

    opts = {name: Adam(net.parameters()) for name, net in nets.items()}
    nets["head"].zero_grad()            takes from `opts["head"]` what it has, and from no other
    """
    whole = update.optimizer.removesuffix("[*]")
    if whole == update.optimizer or detail.optimizer in (whole, update.optimizer):
        return False
    cleared = detail.cleared
    if detail.optimizer is None and not cleared:
        return False
    reached = frozenset().union(*(item.detail.models for item, _ in update.wiped))
    return not reached or not all(any(within(one, part) for part in cleared) for one in reached)


def cleared_later(book: Book) -> bool:
    """Whether gradients that several steps use are cleared in their own loop after all: now and then."""
    return any(len(zero.stamp) >= len(one.step.stamp) for one in book.updates for zero in one.zeros)


def rewrites_spent(update: Update, write: Event) -> bool:
    """Whether this optimizer's gradients are written by hand at a time at which no fresh one is there."""
    if isinstance(write.detail, Write) and write.detail.factor.weight == 1:
        return False
    fresh = any(item.order < write.number for item in update.consumed)
    mistaken = update.wiped and not update.stale and _scales(write)  # they were meant, and cleared too early
    return not (fresh or mistaken) and _whose(update, write)


def _scales(write: Event) -> bool:
    """Whether a write multiplies by a number that is known, rather than putting something else there."""
    return isinstance(write.detail, Write) and write.detail.factor.weight is not None


def _whose(update: Update, write: Event) -> bool:
    """Whether a write may concern the parameters of an update, as far as can be seen."""
    params = update.detail.params
    roots = write.detail.roots if isinstance(write.detail, Write) else None
    return not (params and roots) or any(owns(params, root) for root in roots)


def stretch(update: Update) -> tuple[int, int]:
    """The numbers of the first and the last event of an update: from the step before to its own."""
    return (update.previous.number + 1 if update.previous is not None else 0, update.step.number)


def window_stretch(update: Update) -> tuple[int, int]:
    """The same, from its first backward on: what a caller does before the loop is left out."""
    items = (*update.consumed, *(item for item, _ in update.wiped))
    return (min((item.event.number for item in items), default=update.step.number), update.step.number)


def made_longer(case: Case, move: Event, step: Event) -> Iterator[str]:
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
    if detail is not None and detail.cls in ("MultiStepLR", "StepLR") and re.search(r"\b\d{4,}\b|\b\d+e[3-9]\b", made):
        yield "so large numbers may be counted in batches"
    names = "|".join({re.escape(tail(name)) for name in (*case.scenario.windows, *asked)})
    times = rf"(?<![\w./])(?<!/ )(?:\w+\.)*(?:{names})\s*\*(?!\*)"  # no `len(loader) // accum * epochs`
    if names and re.search(rf"\*\s*(?:\w+\.)*(?:{names})\b|{times}", made):
        yield "the schedule was made for micro-batches"


def called_anew(case: Case, one: Event, two: Event) -> bool:
    """True when two events are in different calls of a function, and what goes backward between them is its caller's.

    def scaler(what, optimizer):
        if what == "unscale": ...
        elif what == "update": ...     what it is told is the same in all calls of a scenario, and not in those of a loop
    """
    calls = [event.stamp[0] if event.stamp and event.stamp[0].loop <= 0 else None for event in (one, two)]
    if None in calls or calls[0] == calls[1]:
        return False
    return not any(one.number < event.number < two.number for event in case.of(Kind.BACKWARD))


def stepped_sooner(case: Case, update: Update) -> bool:
    """Whether another optimizer, in a shorter window, steps with the gradients of the same backwards.

    loss.backward()
    fast.step()
    if n % 4 == 0: slow.step()      to divide the loss would slow the fast one; the rates may be chosen for the sum
    """
    own, size = {item.order for item in update.consumed}, len(update.consumed_batches)
    return any(
        len(other.consumed_batches) < size and any(item.order in own for item in other.consumed)
        for book in case.books
        if update not in book.updates
        for other in book.updates
    )


def contradictory(one: Event, two: Event) -> bool:
    """True when two events stand under different open guards that may exclude each other."""
    shared = {guard.span for guard in one.guards} & {guard.span for guard in two.guards}
    first = [guard for guard in one.guards if not guard.known and guard.span not in shared]
    second = [guard for guard in two.guards if not guard.known and guard.span not in shared]
    return bool(first) and bool(second) and {guard.text for guard in first} != {guard.text for guard in second}
