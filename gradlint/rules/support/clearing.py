"""Where gradients are cleared instead: behind the step, before the window, or behind the steps of others."""

from __future__ import annotations

from collections.abc import Iterable

from gradlint.account.case import Case
from gradlint.model.books import Update, real
from gradlint.model.edits import Delete, Insert, Move, Repair
from gradlint.model.events import Event, Kind
from gradlint.rules.support.moves import beside, once, settled
from gradlint.rules.support.scaling import optimizer_of
from gradlint.rules.support.telling import place


def clear_after(title: str, case: Case, zero: Event, update: Update) -> tuple[Repair, ...]:
    """The way to clear an optimizer's gradients after its step instead of where a helper does it."""
    optimizer = optimizer_of(update)
    if optimizer is None:
        return ()
    insert = Insert(f"{optimizer}.zero_grad()", settled(case, update.step, zeros=True).span, "after")
    return (Repair(title, (Delete(zero.span), insert)),)


def before_window(
    title: str, case: Case, update: Update, zero: Event | None = None, others: Iterable[Event] = ()
) -> tuple[Repair, ...]:
    """The way to clear an optimizer's gradients before the forward of its window, or before the loop that it is.

    Behind the step they would be filled again by what others send through the same parameters (a GAN).
    """
    items = [*update.consumed, *(item for item, _ in update.wiped)]
    optimizer = optimizer_of(update)
    if not items or optimizer is None or not (len(update.batches) == 1 or looped_within(update)):
        return ()
    first = min(items, key=lambda item: item.order)
    forwards = [
        case.events[number] for number in first.detail.forwards if real(case.events[number].stamp) == first.batch
    ]
    opening = forwards[0] if forwards else first.event
    around = {guard.span for guard in opening.guards}
    own = [guard for guard in update.step.guards if guard.span not in around]
    if any(guard.plain or not guard.jump for guard in own):
        return ()  # it does not step each time, save for the rare ways out
    anchor = place(opening, update.step)
    clear = zero.text if zero is not None and zero.text else f"{optimizer}.zero_grad()"
    gone = () if zero is None else tuple(Delete(span) for span in once(one.span for one in (zero, *others)))
    if len(update.batches) == 1:
        return (Repair(title, (*gone, Insert(clear, anchor))),)
    ways = ("before loop",) if opening.function == update.step.function else ("before", "before loop")
    return tuple(Repair("Clear the gradients before the window", (*gone, Insert(clear, anchor, way))) for way in ways)


def before_backward(title: str, update: Update, zero: Event) -> tuple[Repair, ...]:
    """The way to clear an optimizer's gradients right before they are made, in the same suite: who reads them has them.

    Where the step waits for several micro-batches, whose gradients are to be gathered, there is none.

    loss.backward()            opt.zero_grad()
    opt.zero_grad()            loss.backward()
    opt.step()          ──►    opt.step()
    watch(net)                 watch(net)
    """
    backs = {item.event.span: item.event for item, cleared in update.wiped if cleared is zero}
    around = [{(guard.span, guard.taken) for guard in item.event.guards} for item, _ in update.wiped]
    waits = any((one.span, one.taken) not in held for one in update.step.guards for held in around)
    if waits or len({item.batch for item, _ in update.wiped}) > 1:
        return ()
    if len(backs) != 1 or not all(beside(zero, event) and event.calls == zero.calls for event in backs.values()):
        return ()
    return (Repair(title, (Move((zero.span,), next(iter(backs))),)),)


def looped_within(update: Update) -> bool:
    """Whether all micro-batches of an update are turns of loops that run within the iteration that steps."""
    around = real(update.step.stamp)
    return all(len(batch) > len(around) and batch[: len(around)] == around for batch in update.batches)


def after_others(title: str, case: Case, update: Update, zero: Event | None) -> tuple[Repair, ...]:
    """The way to clear an optimizer's gradients behind the steps of others that come after its own in an iteration."""
    later: list[Event] = []
    for event in case.events[update.step.number + 1 :]:
        if event.kind is Kind.STEP and (event.subject == update.optimizer or not beside(event, update.step)):
            break
        later += [event] if event.kind is Kind.STEP else []
    optimizer = optimizer_of(update)
    if optimizer is None or not later or later[-1].span == update.step.span:
        return ()
    clear = zero.text if zero is not None and zero.text else f"{optimizer}.zero_grad()"
    gone = () if zero is None else (Delete(zero.span),)
    return (Repair(title, (*gone, Insert(clear, settled(case, later[-1], zeros=True).span, "after"))),)
