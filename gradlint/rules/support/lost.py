"""What a clear takes away that a step should have used: micro-batches of a window, or one loss before another.

inside.backward()
opt.zero_grad()
border.backward()
opt.step()              of the border alone
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from gradlint.account.case import Case
from gradlint.model.books import Book, Contribution, Update
from gradlint.model.edits import Delete, Insert, Move, Repair
from gradlint.model.events import Event, Guard, Kind, Stamp, Zero
from gradlint.model.pattern import pattern
from gradlint.model.record import replace
from gradlint.model.roots import may_share, within
from gradlint.rules.support.clearing import after_others, before_backward, before_window, clear_after, looped_within
from gradlint.rules.support.doubts import brought_back
from gradlint.rules.support.moves import after_step, beside


def lost_term(case: Case, update: Update) -> tuple[Contribution, Event] | None:
    """A loss of an update's only micro-batch that a clear takes away, where nobody has looked at it or used it."""
    lost = [
        (item, zero)
        for item, zero in update.wiped
        if not (_of_another(case, update, item) or stepped_between(case, update, item, zero))
    ]
    if case.scenario.truncated or len(lost) != 1 or not update.sure or not lost[0][0].sure:
        return None
    item, zero = lost[0]
    busy = update.writes or update.opaques or any(clip.event.number < zero.number for clip in update.clips)
    around = {guard.span for guard in update.step.guards}
    plain = all(guard.span in around for event in (item.event, zero) for guard in event.guards)
    functions = {item.event.function, zero.function, update.step.function}
    same = {one.batch for one in update.consumed} == {item.batch}
    plain = plain and zero.stamp == item.event.stamp == update.step.stamp and ".zero_grad(" in zero.text
    models = [one.detail.models for one in update.consumed]
    joint = all(any(may_share(one, item.detail.models) for one in models) for one in models if one)
    if busy or not plain or not same or not joint or len(functions) != 1 or not item.detail.models:
        return None
    return (item, zero) if _once(update, item) and not case.program.looks else None


def _of_another(case: Case, update: Update, item: Contribution) -> bool:
    """Whether some other optimizer uses what a backward has added: here it is in the way, and cleared for good."""
    return any(
        one.event.number == item.event.number
        for book in case.books
        if book.optimizer != update.optimizer
        for other in book.updates
        for one in other.consumed
    )


def stepped_between(case: Case, update: Update, item: Contribution, zero: Event) -> bool:
    """Whether another optimizer steps on a backward before it is cleared: it was that one's loss, whoever owns what.

    loss.backward()
    optimizer.step()             the loss was this one's
    network.zero_grad()
    optimizer_mi.step()
    """
    between = case.events[item.event.number : zero.number]
    return any(event.kind is Kind.STEP and event.subject != update.optimizer for event in between)


IN_PART = "it clears a part of what the step moves, and may be meant to"


def in_part(update: Update, item: Contribution, zero: Event) -> bool:
    """Whether a part of the network is cleared, and the step may have more than that: `generator.style.zero_grad()`.

    So is one of several, or some: `random.choice(layers).zero_grad()`; but not `net = folds[k]` that goes forward. Parts that are cleared one after the other may
    be all there are.
    """
    if not isinstance(zero.detail, Zero) or zero.detail.optimizer is not None:
        return False
    beside_it = [one.detail for one in update.zeros if one.stamp == zero.stamp and one.number > item.order]
    together = [zero.detail, *(one for one in beside_it if isinstance(one, Zero))]
    cleared = frozenset[str]().union(*(one.cleared for one in together))
    owned, models = update.detail.params or frozenset(), item.detail.models
    if any(whole and all(any(within(one, part) for part in cleared) for one in whole) for whole in (owned, models)):
        return False
    alone = zero.detail.ran and not models  # it went forward itself, and no other network in sight
    return (zero.detail.picked and not alone) or any(
        part != model and within(part, model) for part in (zero.subject, *zero.detail.cleared) for model in models
    )


def _once(update: Update, item: Contribution) -> bool:
    """Whether one clear follows a backward before the step, and none but plain ones stand in front of it."""
    ahead = [zero for zero in update.zeros if zero.number < item.event.number]
    return len(update.zeros) == len(ahead) + 1 and all(zero.text for zero in ahead)


def _ahead(update: Update, item: Contribution, zero: Event) -> bool:
    """Whether the same clear stands in front of the backward already, in the same iteration."""
    return any(one.number < item.event.number and one.text == zero.text and beside(one, zero) for one in update.zeros)


def keep_the_loss(case: Case, update: Update, item: Contribution, zero: Event) -> tuple[Repair, ...]:
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
    loops = {_loops_of(batch) for batch in kept if batch}
    trains = _trains(book, update)
    lost = [
        (item, zero)
        for item, zero in update.wiped
        if item.batch not in kept and item.batch and _loops_of(item.batch) in loops
        if trains is None or item.epoch in trains or item.epoch[: len(update.epoch)] == update.epoch
        if not (_instead(zero, update.step) or brought_back(update, zero) or left_out(update.step))
        if not (for_itself(item, zero, update) or _is_used(zero))
    ]
    return lost if lost and kept and not _given_up(book, lost, kept, case.scenario.size) else []


def _trains(book: Book, update: Update) -> set[Stamp] | None:
    """The passes that step, where others may be for another end: `for phase in ["train", "val"]`.

    Where no update of that step has all that it went back for, each gathers over several passes.
    """
    whole = any(not other.wiped and other.consumed for other in book.updates if other.step.span == update.step.span)
    return {other.epoch for other in book.updates} if whole else None


def _is_used(zero: Event) -> bool:
    """Whether what is cleared has moved the weights already: `opt.first_step(zero_grad=True)`, in a turn of its own."""
    return isinstance(zero.detail, Zero) and zero.detail.used


def _loops_of(batch: Stamp) -> tuple[int, ...]:
    """The loops around a micro-batch: what a helper adds for an evaluation is in none of those of the training."""
    return tuple(one.loop for one in batch)


def _instead(zero: Event, step: Event) -> bool:
    """`if frozen: zero_grad() else: step()`: the window is given up, unless a count of micro-batches decides."""
    return any(
        guard.span == other.span and guard.taken is not other.taken and not (guard.plain and other.plain)
        for guard in zero.guards
        for other in step.guards
    )


def _given_up(book: Book, wiped: list[tuple[Contribution, Event]], kept: set[Stamp], size: int) -> bool:
    """Whether whole windows are left out where they end: on a spike, while frozen."""
    around = {guard.span for item, _ in wiped for guard in item.event.guards}  # `if __name__ == "__main__":` ends none
    ends = {guard.span for update in book.updates for guard in update.step.guards if guard.plain and guard.taken}
    ends -= around
    at_ends = all(any(guard.span in ends and guard.taken for guard in zero.guards) for _, zero in wiped)
    return at_ends and (len(kept) >= size or len({item.batch for item, _ in wiped}) % size == 0)


def clear_once(case: Case, book: Book, update: Update, zero: Event) -> tuple[Repair, ...]:
    """The ways to clear gradients once for each window."""
    title = "Clear the gradients once, after the step"
    sites = {other.span for one in book.updates for other in one.zeros}
    behind = {one.span for one in case.of(Kind.ZERO) if one.number > update.step.number and beside(one, update.step)}
    others = [one for one in case.of(Kind.ZERO) if one.span in sites - behind - {zero.span} and beside(one, zero)]
    places = dict.fromkeys((zero.span, *(other.span for other in others)))
    kept = [one for one in case.of(Kind.ZERO) if one.span in sites - set(places)]
    only, gone = "Clear the gradients only after the step", tuple(Delete(span) for span in places)
    ahead = (Insert(zero.text, zero.span, "before loop"),) if zero.text else ()
    ahead_of_it = before_window(title, case, update, zero, others)
    first = looped_within(update) and zero.number < update.consumed[-1].order
    behind_it = any(_as_often(one, zero, update.step) for one in kept)
    return (
        *((Repair(only, gone), Repair(title, (*ahead, *gone))) if behind_it else ()),
        *(ahead_of_it if first else ()),
        *after_step(title, case, zero, update.step, (), others),
        *(() if first else ahead_of_it),
        *after_step(title, case, zero, update.step, ahead, others),
        *clear_after(title, case, zero, update),
        *(() if others else after_others(title, case, update, zero)),
        *(() if others else _at_the_end(zero, update.step)),
    )


def _at_the_end(zero: Event, step: Event) -> tuple[Repair, ...]:
    """The way to clear gradients where what follows the step has read them: at the end of the `if` that steps.

    opt.zero_grad()
    loss.backward()              loss.backward()
    if last:            ──►      if last:
        opt.step()                   opt.step()
        watch(net)                   watch(net)
                                     opt.zero_grad()
    """
    if zero.function != step.function or zero.calls != step.calls or len(step.guards) <= len(zero.guards):
        return ()
    move = Move((zero.span,), step.span, last=True, step=step.span)
    return (Repair("Clear the gradients once, behind what reads them", (move,)),)


def _as_often(other: Event, zero: Event, step: Event) -> bool:
    """Whether another zero does for every window: it asks nothing but where the window ends."""
    around = {guard.span for guard in (*zero.guards, *step.guards)}
    return all(guard.span in around or guard.counted for guard in other.guards)


def clear_behind(case: Case, update: Update, zero: Event) -> tuple[Repair, ...]:
    """The ways to clear gradients once the step has used them."""
    return (
        *after_step("Clear the gradients after the step", case, zero, update.step),
        *clear_after("Clear the gradients after the step", case, zero, update),
        *before_window("Clear the gradients before the forward pass", case, update, zero),
        *before_backward("Clear the gradients before the backward pass", update, zero),
        *after_others("Clear the gradients after the steps", case, update, zero),
    )


def dropped_on_purpose(case: Case, update: Update, zero: Event) -> Iterator[str]:
    """The doubt about `if ignore: optimizer.zero_grad()`: a switch that backward and step do not ask, and nothing else.

    It may stand in the other branch: `if norm < limit: ...`, `else: optimizer.zero_grad()`. A counter that is held
    against a number, or is one of epochs, tells when something rests: `if epoch == 0: head.zero_grad()`.
    """
    item, _ = update.wiped[-1]
    asked = {guard.text for event in (item.event, update.step) for guard in event.guards}
    others = {guard.span for event in case.events if event.kind is not Kind.ZERO for guard in event.guards}
    for guard in zero.guards:
        cadence = guard.plain and not _for_a_time(case, update, zero, guard)
        if not (cadence or guard.jump or guard.text in asked or guard.span in others):
            yield f"`{'if' if guard.taken else 'else` of `if'} {guard.text}` may drop the update on purpose"
            return


def _for_a_time(case: Case, update: Update, zero: Event, guard: Guard) -> bool:
    """Whether a count decides for how long updates are dropped, which are cleared elsewhere as well.

    It does not say which batches of a loop clear, but for the first ones: all updates behind these learn.
    """
    resting, learning, learns = set[object](), set[object](), list[bool]()
    again = False
    for one in case.book_of(update).updates:
        rests = any(other.span == zero.span for _, other in one.wiped)
        again = again or any(other.span != zero.span for other in one.zeros)
        (resting if rests else learning).add(one.epoch)
        learns.append(not rests and bool(one.consumed))
    at_first = learns == sorted(learns) and learns[-1:] == [True]
    in_whole_epochs = bool(learning) and resting.isdisjoint(learning)
    of_windows = any(re.search(rf"\b{re.escape(name)}\b", guard.text) for name in case.scenario.windows)
    up_to = _HELD_AGAINST.search(guard.text) is not None and (at_first or not (guard.counted or of_windows))
    return again and (up_to or in_whole_epochs)


_HELD_AGAINST = pattern(r"^[^'\"]*[<>=]=?[^'\"]*$")
"""A counter that is held against a number: `epoch < warmup`."""
