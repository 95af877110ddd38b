"""Steps through a scaler and the updates that go with them: what is missing, and the ways to have it."""

from __future__ import annotations

from collections.abc import Iterator

from gradlint.account.case import Case
from gradlint.model.books import Book, Contribution, Update, real
from gradlint.model.edits import Choose, Delete, Insert, Loss, Move, Repair, Replace
from gradlint.model.events import Event, Guard, Kind
from gradlint.model.record import replace
from gradlint.rules.support.lending import Need, held_back, lent, several
from gradlint.rules.support.moves import beside, settled
from gradlint.rules.support.overflow_guards import LENT, unscaled_first
from gradlint.rules.support.scaling import (
    amp_guard,
    optimizer_of,
    scaler_and_optimizer,
    scaler_of,
    spelled_alike,
    updates_of,
)
from gradlint.rules.support.telling import place


def scaler_steps(case: Case) -> Iterator[tuple[Update, int]]:
    """Steps through a scaler, each with until when its update may come: its next step; a last one without is left out."""
    for book in case.books:
        for number, update in enumerate(book.updates):
            if update.detail.via != "scaler":
                continue
            last = number + 1 >= len(book.updates)
            end = len(case.events) if last else book.updates[number + 1].step.number
            if not last or not number or is_updated(case, update.step, end):
                yield update, end


def is_updated(case: Case, step: Event, end: int) -> bool:
    """Whether the scaler is updated after a step and before an event."""
    return any(step.number < event.number < end for event in updates_of(case, step))


def rescaled_steps(case: Case) -> Iterator[tuple[Update, Event, Event]]:
    """Steps through a scaler that is updated between all their backwards and them, with those before that update.

    scaler.scale(loss).backward()
    scaler.step(first)
    scaler.update()                 may choose another scale
    scaler.step(second)             divides by that
    """
    steps = [update for book in case.books for update in book.updates if update.detail.via == "scaler"]
    for update in steps if case.scenario.accident is None else ():
        scaler, done = update.detail.scaler, max((item.order for item in update.consumed), default=None)
        if scaler is None or done is None or not update.sure:
            continue
        if any(item.detail.scaled_by != scaler for item in update.consumed):
            continue
        renewed = [one for one in case.of(Kind.UPDATE) if done < one.number < update.step.number]
        own = [one for one in renewed if one.subject == scaler and real(one.stamp) == real(update.step.stamp)]
        before = [one.step for one in steps if own and done < one.step.number < own[0].number]
        others = [one for one in before if one.subject != update.optimizer]
        if others:
            yield update, others[-1], own[0]


def skipped_updates(case: Case) -> Iterator[tuple[Book, Event, Event, Guard]]:
    """Steps that a guard skips together with the scaler's update, after `unscale_` has run: the next one raises."""
    left, iteration = case.scenario.accident or (0, ())
    call = tuple(one for one in iteration if one.kind == "call")  # that of the next epoch may never come
    again = [event for event in case.events[left:] if event.stamp[: len(call)] == call]
    for book in case.books:
        before = [
            event for event in case.events[:left] if event.stamp == iteration and _is_unscale(event, book.optimizer)
        ]
        after = [event for event in again if event.kind is Kind.UPDATE or _is_unscale(event, book.optimizer)]
        steps = [update.step for update in book.updates if update.detail.via == "scaler"]
        raises = bool(before and after and steps) and after[0].kind is Kind.UNSCALE
        if not raises or any(one.kind in (Kind.UPDATE, Kind.STEP) for one in case.events[before[-1].number : left]):
            continue
        updates = [event for event in case.of(Kind.UPDATE) if event.number > steps[0].number]
        way_out = case.scenario.way_out
        guard = next((one for one in reversed(steps[0].guards) if one.text == way_out and not one.known), None)
        if updates and guard is not None:
            yield book, steps[0], updates[0], guard


def _is_unscale(event: Event, optimizer: str) -> bool:
    return event.kind is Kind.UNSCALE and event.subject in (optimizer, "*")


def update_after_the_step(case: Case, update: Update) -> tuple[Repair, ...]:
    """The ways to update the scaler once a step is done, or behind the guard that asks gradients whether to step."""
    return (*_behind_the_step(case, update.step), *_behind_the_guard(update))


def _behind_the_step(case: Case, step: Event) -> tuple[Repair, ...]:
    both, span = scaler_and_optimizer(step), settled(case, step).span
    title = "Update the scaler after the step"
    misplaced = dict.fromkeys(event.span for event in spelled_alike(case, step))
    moves = [Repair(title, (Move((found,), span, after=True),)) for found in misplaced]
    if both is None or (moves and not _settles_another(case, step)):
        return tuple(moves)
    steps = [event for event in case.of(Kind.STEP) if beside(event, step) and event.text.startswith(f"{both[0]}.")]
    span = settled(case, steps[-1]).span
    found = [Repair(title, (Insert(f"{both[0]}.update()", span, where),)) for where in ("after", "after loop")]
    return (*moves, *found)


def _behind_the_guard(update: Update) -> tuple[Repair, ...]:
    """The ways to update the scaler, and to unscale first, where a guard asks gradients whether to step."""
    both = scaler_and_optimizer(update.step)
    if both is None:
        return ()
    behind = Insert(f"{both[0]}.update()", update.step.span, "after")
    ways = unscaled_first(update, *both, (behind,))
    return tuple(Repair("Unscale first, and update whether it steps or not", edits) for edits in ways)


def update_after_all(case: Case, step: Event, other: Event, renewal: Event) -> tuple[Repair, ...]:
    """The ways to update a scaler once, when all have stepped: what comes too early goes, or goes behind them."""
    title = "Update the scaler once, after all steps"
    lends = held_back(title, _too_early_alike(case, renewal), renewal.span, "update")
    return (*_once_behind_all(title, case, step, other, renewal), *lends)


def _too_early_alike(case: Case, renewal: Event) -> list[Need]:
    """Every update at the place of one that comes between a backward and its step, with the next such step."""
    found: dict[int, Need] = {}
    for update, _, _ in sorted(rescaled_steps(case), key=lambda one: one[0].step.number):
        done = max(item.order for item in update.consumed)
        for one in case.at(renewal.span):
            if one.kind is Kind.UPDATE and done < one.number < update.step.number:
                found.setdefault(one.number, Need(one, update.step, one.text))
    return list(found.values())


def _once_behind_all(title: str, case: Case, step: Event, other: Event, renewal: Event) -> tuple[Repair, ...]:
    both = scaler_and_optimizer(step)
    steps = [one for one in case.of(Kind.STEP) if beside(one, step) and both and one.text.startswith(f"{both[0]}.")]
    later = [one for one in updates_of(case, step) if beside(one, step) and one.number > step.number]
    if other.span == step.span:
        behind = Insert(renewal.text, step.span, "after loop")
        return (Repair(title, (Delete(renewal.span), behind)),) if renewal.text else ()
    if any(one.span != renewal.span for one in later):
        return (Repair(title, (Delete(renewal.span),)),)
    guards = [guard for guard in step.guards if guard.span not in {one.span for one in renewal.guards}]
    if guards:
        return (Repair(title, (Move((renewal.span,), guards[0].span, after=True, whole=False),)),)
    return (Repair(title, (Move((renewal.span,), steps[-1].span if steps else step.span, after=True),)),)


def _settles_another(case: Case, step: Event) -> bool:
    """Whether each update of the scaler ends another step, beside which it stands: that one needs it there."""
    others = [one for one in case.of(Kind.STEP) if one.span != step.span]
    return all(any(beside(one, update) for one in others) for update in spelled_alike(case, step))


def update_on_the_way_out(update: Event, guard: Guard) -> Repair:
    """The way to update the scaler where a guard leaves a step out."""
    if guard.jump:
        return Repair("Update the scaler on this way, too", (Insert(update.text, guard.span, "leave"),))
    move = Move((update.span,), guard.span, after=True, whole=False)
    return Repair("Update the scaler outside the guard", (move,))


def is_handed_over(step: Event, backward: Event) -> bool:
    """Whether the scaler is handed to a step, which may go through it: `optimizer.step_and_log(scaler)`."""
    scaler = scaler_of(backward)
    return scaler is not None and scaler in step.given


def step_through(case: Case, update: Update, backward: Event) -> tuple[Repair, ...]:
    """The ways to step through the scaler of a backward."""
    scaler, optimizer = scaler_of(backward), optimizer_of(update)
    if scaler is None or optimizer is None or update.detail.closure:
        return ()
    title, step = "Step through the scaler", Replace(update.step.span, f"{scaler}.step({optimizer})")
    renew = "" if case.of(Kind.UPDATE) else f"{scaler}.update()"
    needs, guard = tuple(_bypassed_alike(case, update)), amp_guard(backward, update.step)
    lends = _lent_step(title, needs, update, optimizer, renew=bool(renew))
    if several(needs):
        return tuple(lends)
    if guard:
        return (Repair(title, (Choose(guard, step, renew),)), *lends)
    ahead = next((event for event in _renewed(case, update, backward) if beside(event, update.step)), None)
    if ahead is not None:
        moved = (Delete(update.step.span), Insert(step.code, place(ahead, update.step)))
        return (Repair(title, moved), Repair(title, (step,)))
    more = (Insert(renew, settled(case, update.step).span, "after"),) if renew else ()
    around = _around(title, case, update, backward, renew)
    asked = unscaled_first(update, scaler, optimizer, more) if renew else ()
    return (Repair(title, (step, *more)), *around, *(Repair(title, (step, *edits)) for edits in asked), *lends)


def _lent_step(title: str, needs: tuple[Need, ...], update: Update, optimizer: str, *, renew: bool) -> list[Repair]:
    """The ways to step through a scaler where a helper is lent one: it is updated there, or once behind all calls."""
    change = Choose("{lent} is not None", Replace(update.step.span, f"{{lent}}.step({optimizer})"))
    if not renew:
        return lent(title, needs, change)
    found = lent(title, needs, replace(change, then="{lent}.update()"))
    last = max(needs, key=lambda need: need.event.number, default=None)
    if last is not None and (call := last.call) is not None:
        ends = (Insert(f"{last.scaler}.update()", call, where, last.through) for where in ("after", "after loop"))
        found += [way for end in ends for way in lent(title, needs, change, end)]
    for inside in unscaled_first(update, LENT, optimizer):
        found += lent(title, needs, change, inside=inside)
    return found


def _bypassed_alike(case: Case, update: Update) -> Iterator[Need]:
    """Every plain step at the place of one that consumes gradients of a scaled loss."""
    for other in case.updates:
        backward = bypassed_by(other) if other.step.span == update.step.span else None
        if backward is not None and (scaler := scaler_of(backward)) is not None:
            yield Need(other.step, backward, scaler, amp_guard(backward, other.step))


def bypassed_by(update: Update) -> Event | None:
    """The first backward of a scaled loss that a plain step goes past the scaler with."""
    scaled = [item.event for item in update.consumed if item.detail.scaled_by]
    plain = update.detail.via == "plain" and update.detail.framework in ("", "sam")
    return scaled[0] if scaled and plain and not is_handed_over(update.step, scaled[0]) else None


def _around(title: str, case: Case, update: Update, backward: Event, renew: str) -> tuple[Repair, ...]:
    """The way to step an object through the scaler that is around an optimizer: `scaler.step(lookahead)`."""
    scaler, calls = scaler_of(backward), update.step.calls
    if not calls or calls[:-1] != backward.calls or len(update.step.guards) > len(backward.guards):
        return ()
    if len({one.subject for one in case.of(Kind.STEP) if one.calls == calls}) > 1:
        return ()  # it is around several, whose groups it may not have
    step = Replace(calls[-1], f"{scaler}.step({{receiver}})", update.step.span)
    return (Repair(title, (step, *((Insert(renew, calls[-1], "after"),) if renew else ()))),)


def _renewed(case: Case, update: Update, backward: Event) -> list[Event]:
    """The scaler's updates between a backward and its step: behind them the scale may be another."""
    between = range(backward.number, update.step.number)
    return [event for event in case.of(Kind.UPDATE) if event.number in between]


def scale_the_loss(case: Case, update: Update, item: Contribution) -> tuple[Repair, ...]:
    """The way to scale the loss of a contribution by the scaler of its step."""
    both = scaler_and_optimizer(update.step)
    if both is None:
        return ()
    loss, title = Loss(item.event.span, f"{both[0]}.scale({{}})"), "Scale the loss"
    guard = amp_guard(update.step, item.event)
    doubt = _BY_OPTION if item.event.span.line in case.program.unscaled else ""
    change = Choose("{lent} is not None", Loss(item.event.span, "{lent}.scale({})"))
    needs = tuple(_unscaled_alike(case, item))
    lends = lent(title, needs, change, doubt=doubt)
    if several(needs):
        return tuple(lends)
    return (Repair(title, (Choose(guard, loss) if guard else loss,), bool(doubt), doubt), *lends)


def _unscaled_alike(case: Case, item: Contribution) -> Iterator[Need]:
    """Every unscaled backward at the place of one whose gradients a scaler steps with."""
    for update in case.updates:
        both = scaler_and_optimizer(update.step)
        if update.detail.via == "scaler" and both is not None:
            alike = (one.event for one in update.consumed if is_unscaled(update, one))
            events = (event for event in alike if event.span == item.event.span)
            yield from (Need(one, update.step, both[0], amp_guard(update.step, one)) for one in events)


def is_unscaled(update: Update, item: Contribution) -> bool:
    """Whether nothing scales a loss; what comes behind `unscale_` is as it is meant."""
    scaled = item.detail.scaled_by is not None or item.detail.framework or "scale" in item.detail.loss
    return not scaled and not any(mark.number < item.event.number for mark in update.unscales)


_BY_OPTION = "an option may unscale before this backward, and behind that nothing may be scaled"
