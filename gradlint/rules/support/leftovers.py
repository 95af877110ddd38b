"""What one loss leaves in the gradients of another: a critic that is cleared too early to lose it.

critic_opt.step()
critic_opt.zero_grad()
-critic(fake).mean().backward()       fills the critic's gradients again
maker_opt.step()

And what is lost of one loss before another: `inside.backward(); opt.zero_grad(); border.backward(); opt.step()`.
"""

from __future__ import annotations

from dataclasses import replace

from gradlint.account.case import Case
from gradlint.account.ledgers import evidence
from gradlint.model.books import Book, Contribution, Update, real, related_parts
from gradlint.model.edits import Delete, Repair
from gradlint.model.events import Event, Kind, Stamp, Step, Write, Zero
from gradlint.rules.support.doubts import brought_back, doubts, rewrites_spent, stretch
from gradlint.rules.support.moves import before_window, beside, looped_within
from gradlint.rules.support.rule import Hit
from gradlint.rules.support.telling import line, related


def left_by_another(case: Case, update: Update) -> bool:
    """Whether another optimizer's backward has left gradients here, behind this one's own clear, in each iteration anew.

    A discriminator that is cleared after its step is filled again by the generator's loss. Who clears at the head of
    an iteration may want all that comes in it.
    """
    if case.freezes or case.truncated or update.stale or update.writes or update.opaques or update.detail.closure:
        return False
    one = len(update.consumed_batches) == 1 or looped_within(update)
    plain = update.detail.origin == "made" and update.sure and one
    if not (plain and update.zeros and update.foreign and all(item.sure for item in update.foreign)):
        return False
    before = update.previous
    if before is None or calls_of(before) != calls_of(update.step):
        return False  # what another call left is its caller's to clear
    if not _directly_behind(case, before, update.zeros[-1]):
        return False
    first = min(item.order for item in update.foreign)
    others = {event.subject: event.detail.params for event in case.of(Kind.STEP) if isinstance(event.detail, Step)}
    between = case.events[first : update.consumed[0].order]
    return update.zeros[-1].number < first and not any(
        event.kind is Kind.ZERO and _shared(others.get(event.subject), update.detail.params) for event in between
    )


def calls_of(event: Event) -> Stamp:
    """The turns that are calls of the whole function: between two of them its caller may do anything."""
    return tuple(iteration for iteration in event.stamp if iteration.kind == "call")


def _directly_behind(case: Case, step: Event, zero: Event) -> bool:
    """Whether a clear ends an update: nothing is computed between the step and it."""
    between = case.events[step.number : zero.number]
    return beside(step, zero) and not any(event.kind in (Kind.FORWARD, Kind.BACKWARD) for event in between)


def _shared(one: frozenset[str] | None, two: frozenset[str] | None) -> bool:
    """Whether two optimizers may have parameters in common."""
    return not one or not two or any(related_parts(a, b) for a in one for b in two)


def left_hit(case: Case, book: Book, update: Update) -> Hit:
    """What is said of it."""
    left, zero = update.foreign[-1].event, update.zeros[-1]
    return Hit(
        update.step.span,
        f"`{update.step.text}` uses gradients, too, that `{left.text}` on {line(left)} has left there.",
        f"`{zero.text}` on {line(zero)} runs before that: what another loss sends through this "
        "network has to be cleared before its own backward.",
        f"{_which(update)} follows the other loss as well as its own, often in the opposite direction.",
        book.optimizer,
        (
            related(left, "leaves gradients that are not meant for this step"),
            related(zero, "clears too early"),
        ),
        evidence(update, book),
        doubts(update, case),
        before_window("Clear the gradients before the forward pass", case, update, zero),
        stretch=stretch(update),
    )


def _which(update: Update) -> str:
    anew = update.previous is not None and real(update.previous.stamp)[:-1] != real(update.step.stamp)[:-1]
    return "The first update behind it" if anew else "Every update but the first"


def lost_term(case: Case, update: Update) -> tuple[Contribution, Event] | None:
    """A loss of an update's only micro-batch that a clear takes away, where nobody has looked at it or used it."""
    lost = [
        (item, zero)
        for item, zero in update.wiped
        if not (_of_another(case, update, item) or _stepped_between(case, update, item, zero))
    ]
    if case.looks or case.truncated or len(lost) != 1 or not update.sure or not lost[0][0].sure:
        return None
    item, zero = lost[0]
    busy = update.writes or update.opaques or any(clip.event.number < zero.number for clip in update.clips)
    around = {guard.span for guard in update.step.guards}
    plain = all(guard.span in around for event in (item.event, zero) for guard in event.guards)
    functions = {item.event.function, zero.function, update.step.function}
    same = {one.batch for one in update.consumed} == {item.batch}
    plain = plain and zero.stamp == item.event.stamp == update.step.stamp and ".zero_grad(" in zero.text
    models = [one.detail.models for one in update.consumed]
    joint = all(any(_shared(one, item.detail.models) for one in models) for one in models if one)
    if busy or not plain or not same or not joint or len(functions) != 1 or not item.detail.models:
        return None
    return (item, zero) if _once(update, item) else None


def _of_another(case: Case, update: Update, item: Contribution) -> bool:
    """Whether some other optimizer uses what a backward has added: here it is in the way, and cleared for good."""
    return any(
        one.event.number == item.event.number
        for book in case.books
        if book.optimizer != update.optimizer
        for other in book.updates
        for one in other.consumed
    )


def _stepped_between(case: Case, update: Update, item: Contribution, zero: Event) -> bool:
    """Whether another optimizer steps on a backward before it is cleared: it was that one's loss, whoever owns what."""
    between = case.events[item.event.number : zero.number]
    return any(event.kind is Kind.STEP and event.subject != update.optimizer for event in between)


def _once(update: Update, item: Contribution) -> bool:
    """Whether one clear follows a backward before the step, and none but plain ones stand in front of it."""
    ahead = [zero for zero in update.zeros if zero.number < item.event.number]
    return len(update.zeros) == len(ahead) + 1 and all(zero.text for zero in ahead)


def _ahead(update: Update, item: Contribution, zero: Event) -> bool:
    """Whether the same clear stands in front of the backward already, in the same iteration."""
    return any(one.number < item.event.number and one.text == zero.text and beside(one, zero) for one in update.zeros)


def lost_hit(case: Case, book: Book, update: Update, item: Contribution, zero: Event) -> Hit:
    """What is said of it."""
    return Hit(
        zero.span,
        f"`{zero.text}` clears what `{item.event.text}` on {line(item.event)} has added for "
        f"`{update.step.text}` on {line(update.step)}.",
        "It runs between the backward passes of one update, so the loss before it is lost.",
        "The network learns from the later losses only; the work on the first is lost.",
        book.optimizer,
        (related(item.event, "lost"), related(update.step, "used here")),
        evidence(update, book),
        doubts(update, case),
        _cleared_once(case, update, item, zero),
        stretch=(item.event.number, update.step.number),
    )


def _cleared_once(case: Case, update: Update, item: Contribution, zero: Event) -> tuple[Repair, ...]:
    """The repairs of a clear that takes a loss away, together with those beside it that take it from others.

    With one of them alone the loss would be that optimizer's own, and the others would go without it for good.
    """
    repairs = _moved_ahead(case, update, item, zero)
    others = [other for book in case.books for other in book.updates if other.optimizer != update.optimizer]
    wiped = [(other, one, clear) for other in others for one, clear in other.wiped if beside(clear, zero)]
    for other, clear in [(other, clear) for other, one, clear in wiped if one.event.number == item.event.number]:
        found = lost_term(case, other)
        more = _moved_ahead(case, other, *found) if found is not None else ()
        doubt = "" if more else f"`{clear.text}` takes the same loss away, and may be meant to"
        edits = more[0].edits if more else ()
        repairs = tuple(
            replace(one, edits=(*one.edits, *edits), unsafe=one.unsafe or bool(doubt), doubt=one.doubt or doubt)
            for one in repairs
        )
    return repairs


def _moved_ahead(case: Case, update: Update, item: Contribution, zero: Event) -> tuple[Repair, ...]:
    if _ahead(update, item, zero):
        return (Repair("Clear the gradients once", (Delete(zero.span),)),)
    return before_window("Clear the gradients before the forward pass", case, update, zero)


def carried_on(update: Update) -> bool:
    """Whether used gradients are rewritten before new ones are added: who lets them decay wants them as momentum."""
    begun = min((item.order for item in update.consumed), default=update.step.number)
    return any(write.number < begun and rewrites_spent(update, write) for write in update.writes)


def cleared_by_another(case: Case, update: Update) -> bool:
    """Whether what nobody made here is cleared by the name of an optimizer that never steps: it may be the same one."""
    loops = [iteration.loop for iteration in update.step.stamp]
    near = [event for event in case.of(Kind.STEP, Kind.ZERO) if [iteration.loop for iteration in event.stamp] == loops]
    stepped = {event.subject for event in near if event.kind is Kind.STEP}
    zeros = [event for event in near if event.kind is Kind.ZERO]
    return any(isinstance(zero.detail, Zero) and zero.detail.optimizer not in {None, *stepped} for zero in zeros)


def replaced(update: Update) -> bool:
    """Whether gradients are put in the place of all that was added: nothing is left of what an earlier step used."""
    added = max((item.order for item in update.consumed), default=update.step.number)
    return any(isinstance(one.detail, Write) and one.detail.brought and one.number > added for one in update.writes)


def surely_own(case: Case, book: Book, update: Update) -> bool:
    """A step function answers for its zero only when its callers plainly do not.

    It steps twice in one go; or the optimizer is made in this file, and either nothing in the file clears a gradient,
    or the same function clears those of another optimizer.
    """
    if _in_one_go(book, update):
        return True
    if update.detail.origin != "made" or update.step.function != update.consumed[-1].event.function:
        return False
    others = (event for book in case.books for other in book.updates for event in other.zeros)
    siblings = any(event.function == update.step.function and event.subject != update.optimizer for event in others)
    return not case.clears or siblings


def _in_one_go(book: Book, update: Update) -> bool:
    """Whether a function clears, steps, and steps again within one iteration: no caller can clear in between."""
    first, function = update.previous, update.step.function
    if first is None or first.stamp != update.step.stamp or update.unsure:
        return False
    where = {first.function, *(item.event.function for item in (*update.consumed, *update.stale))}
    clears = any(zero.function == function for other in book.updates for zero in other.zeros)
    return where == {function} and clears


def for_itself(item: Contribution, zero: Event, update: Update) -> bool:
    """Whether a helper goes backward for an end of its own, and clears what that leaves: an attack on the inputs.

    The step's own backward stands elsewhere.
    """
    own = item.event.function
    alone = own == zero.function != update.step.function
    return alone and bool(update.consumed) and update.consumed[-1].event.function != own


def left_out(step: Event) -> bool:
    """`if i != skipped: step()`: every batch has an update of its own, and one goes without."""
    counting = [guard for guard in step.guards if guard.plain]
    return bool(counting) and all(guard.spares for guard in counting)


def lost_of_window(case: Case, book: Book, update: Update) -> list[tuple[Contribution, Event]]:
    """The micro-batches that the window of an update should have kept, each with the zero that took it away."""
    kept = set(update.consumed_batches)
    loops = {batch[-1].loop for batch in kept if batch}
    lost = [
        (item, zero)
        for item, zero in update.wiped
        if item.batch not in kept and item.batch and item.batch[-1].loop in loops
        if not (_instead(zero, update.step) or brought_back(update, zero) or left_out(update.step))
        if not for_itself(item, zero, update)
    ]
    return lost if lost and kept and not _given_up(book, lost, kept, case.size) else []


def _instead(zero: Event, step: Event) -> bool:
    """`if frozen: zero_grad() else: step()`: the window is given up, unless a count of micro-batches decides."""
    return any(
        guard.span == other.span and guard.taken is not other.taken and not (guard.plain and other.plain)
        for guard in zero.guards
        for other in step.guards
    )


def _given_up(book: Book, wiped: list[tuple[Contribution, Event]], kept: set[Stamp], size: int) -> bool:
    """Whether whole windows are left out where they end: on a spike, while frozen."""
    ends = {guard.span for update in book.updates for guard in update.step.guards if guard.plain and guard.taken}
    at_ends = all(any(guard.span in ends and guard.taken for guard in zero.guards) for _, zero in wiped)
    return at_ends and (len(kept) >= size or len({item.batch for item, _ in wiped}) % size == 0)
