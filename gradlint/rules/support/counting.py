"""Windows whose count is off: the first of an epoch, or all of them.

if i % 4 == 0:           g0 | g1 g2 g3 g4 | ...     the first is odd
if pending > accum:      five micro-batches in each, of a window of four
"""

from __future__ import annotations

from fractions import Fraction

from gradlint.account.case import Case
from gradlint.account.names import tail
from gradlint.model.books import Book, Update, epoch_of
from gradlint.model.edits import Modulus, Repair
from gradlint.model.events import Guard, Kind, Write
from gradlint.model.pattern import pattern
from gradlint.rules.support.windows import boundary


def odd_first(case: Case, book: Book) -> tuple[Update, Update] | None:
    """(first, steady) updates of one step site in the first epoch, when their sizes differ."""
    sites = {update.step.span for update in book.updates}
    for site in sites:
        same = [update for update in book.updates if update.step.span == site]
        first = same[0]
        epoch = [update for update in same if update.epoch == first.epoch]
        if _goes_on(book, first) or len(epoch) < 2 or not first.consumed or first.guard is None or first.wiped:
            continue
        if _goes_on_for_another(case, first) or any(item.epoch != first.epoch for item in first.consumed):
            continue  # an epoch before, with an optimizer of its own, has left them
        if any(isinstance(write.detail, Write) and write.detail.brought for write in first.writes):
            continue  # a run goes on in the midst of a window, whose gradients were kept
        steady = epoch[1]
        full = len(steady.batches)
        if len(epoch) == 2 and full < len(first.batches) and full != case.scenario.size:
            continue  # a short epoch: a window and its rest
        third = len(epoch[2].batches) if len(epoch) > 2 else full
        regular = third == full or (third < full and epoch[2] is epoch[-1])  # windows may grow
        grows = first.is_mean and steady.is_mean
        whole = len(steady.batches) == len(steady.consumed_batches)
        alike = {item.event.span for item in first.consumed} <= {item.event.span for item in steady.consumed}
        if full >= 2 and len(first.batches) != full and regular and whole and not grows and alike:
            return first, steady
    return None


def _goes_on(book: Book, first: Update) -> bool:
    """Whether the first update of a step comes behind others that its loop may count on from.

    What an earlier loop did, all of it, is none of it: `pretrain(...)`, `finetune(...)`, each with a count of its own.
    Where the first window is just what one count for both gives, it may be one.
    """
    if first.previous is None:
        return False
    loops = {iteration.loop for batch in first.batches for iteration in batch if iteration.kind != "call"}
    before = [one for one in book.updates if one.number < first.number]
    if not loops or not all(loops.isdisjoint(each.loop for each in one.step.stamp) for one in before):
        return True
    begun = min(item.order for item in first.consumed) if first.consumed else first.step.number
    seen = {item.batch for item in book.gathered() if item.order < begun}
    return (len(seen) + len(first.batches)) % (book.window_of(first) or 1) == 0


def _goes_on_for_another(case: Case, first: Update) -> bool:
    """Whether another optimizer was stepped there in an earlier epoch: the new one goes on with its count."""
    steps = (step for step in case.of(Kind.STEP) if step.span == first.step.span and step.number < first.step.number)
    return any(step.subject != first.optimizer and epoch_of(step.stamp) != first.epoch for step in steps)


def begins_early(book: Book, update: Update, old: int) -> bool:
    """Whether each epoch's first update comes too soon (`i % n == 0`): it takes what the epoch before has left.

    Those that follow in its epoch take whole windows. Where it makes a whole one of both, the count goes on.
    """
    size = book.window_of(update) or 1
    same = [one for one in book.updates if one.step.span == update.step.span]
    taken = [len(one.consumed_batches) for one in same if one.epoch == same[0].epoch]
    alone = len(update.consumed_batches) - old
    whole = len(update.consumed_batches) == size
    return len(taken) > 1 and 0 < taken[0] == alone < size == taken[1] and not whole


def one_too_long(case: Case, book: Book) -> tuple[Update, Guard, str] | None:
    """An update of windows that are all one too long, its test, and the name of the window: `pending > accum`.

    Of what is counted down to below 0 the share of each micro-batch says from where.
    The test may stand where the update is asked for, with another one around the step: `if self.pending: step()`.
    """
    for update in book.updates:
        counted = [one for one in update.own_guards if one.plain and one.taken]
        guard = next((one for one in counted if _OVER.search(one.text) or _BELOW.search(one.text)), None)
        if not guard:
            continue
        size = book.window_of(update) or 0
        parts = (part for item in update.consumed for part in item.factor.parts if part.divides and not part.bare)
        shares = {part.text for part in parts if part.number == Fraction(1, max(1, size - 1))}
        names = {tail(name) for name, value in case.scenario.windows.items() if value + 1 == size}
        whole = len(update.consumed_batches) == size and not update.wiped and not update.is_mean
        over = _OVER.search(guard.text)
        window = over["window"] if over else next(iter(shares), "") if len(shares) == 1 else ""
        if whole and window and (not over or tail(window) in names.union(map(tail, shares))):
            return update, guard, window
    return None


def only_once(case: Case, book: Book) -> tuple[Update, Guard] | None:
    """The one update of a loop whose second window never ends, and its test: what is asked rises only where it steps.

    if done % n == 0:
        optimizer.step()
        done += 1           with n > 1 it is 1 from the first step on
    """
    scenario, only = case.scenario, book.updates[0] if len(book.updates) == 1 else None
    size = scenario.size
    if only is None or only.unsure or scenario.truncated or scenario.way_out or not scenario.looped:
        return None
    left = {item.batch for item in book.rest.live}
    loops = {tuple(iteration.loop for iteration in batch) for batch in (*left, *only.consumed_batches)}
    changed = only.wiped or book.tail_wiped or only.writes
    alone = 0 < len(only.consumed_batches) < size and len(left) > 2 * size
    if not alone or len(loops) != 1 or changed or size not in scenario.windows.values():
        return None
    held = {(one.span, one.taken) for item in book.rest.live for one in item.event.guards}
    asked = [one for one in only.step.guards if one.plain and (one.span, one.taken) not in held]
    return (only, asked[-1]) if asked else None


def why_too_long(guard: Guard, window: str) -> str:
    """Why a window that is asked for like this is one too long."""
    if _BELOW.search(guard.text):
        return f"The count goes down from `{window}` and is below 0 only when one more is taken: a full window is at 0."
    if ">=" not in guard.text and ">" in guard.text:
        return f"The count is only larger than `{window}` when one more has been added: a full window is `>=`."
    return (
        f"The count is asked before the micro-batch that was just added is counted: it reaches `{window}` one too late."
    )


def divides(update: Update) -> bool:
    """Whether something divides a micro-batch of an update: where nothing does, none has the weight of another window."""
    return any(item.factor.divided for item in update.consumed)


def count_from_one(first: Update) -> tuple[Repair, ...]:
    """The ways to begin the count of a window one earlier or later."""
    span, _ = boundary(first)
    if span is None:
        return ()
    title = "Count the micro-batches from 1"
    return tuple(Repair(title, (Modulus(span, by, here),)) for here in (False, True) for by in (1, -1))


_BELOW = pattern(r"^[A-Za-z_][\w.]* < 0$|^0 > [A-Za-z_][\w.]*$")
_OVER = pattern(r"^[\w.]+ (?:>|==|>=) (?P<window>[A-Za-z_][\w.]*)$")
