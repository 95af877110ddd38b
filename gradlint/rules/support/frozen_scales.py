"""Scales that are never lowered: a guard asks scaled gradients whether they are finite, and leaves out the update, too."""

from __future__ import annotations

from collections.abc import Iterator

from gradlint.account.case import Case
from gradlint.model.books import Book, Update
from gradlint.model.edits import Repair
from gradlint.model.events import Event, Guard, Kind
from gradlint.model.finding import Span
from gradlint.model.placed import line_of
from gradlint.rules.support.hit import Hit
from gradlint.rules.support.overflow_guards import FINITE, unscaled_first
from gradlint.rules.support.scaler_steps import update_on_the_way_out
from gradlint.rules.support.scaling import scaler_and_optimizer


def frozen_scales(case: Case) -> Iterator[Hit]:
    """One hit for each step that such a guard leaves out together with the scaler's update, where nothing is unscaled.

    scaler.scale(loss).backward()
    if torch.isfinite(norm_of(model)):      reads gradients as they are, scaled
        scaler.step(optimizer)
        scaler.update()
    """
    if case.scenario.accident is None or not FINITE.search(case.scenario.way_out):
        return
    left, _ = case.scenario.accident
    way_out = case.scenario.way_out
    asked = case.events[left - 1] if left else None
    behind = [one for one in case.events[left:] if one.kind in _ABOUT]
    if asked is None or asked.kind is not Kind.READ or not behind or behind[0].kind in (Kind.UPDATE, Kind.UNSCALE):
        return
    for book in case.books:
        for update in book.updates:
            step, items = update.step, update.consumed
            guard = next((one for one in reversed(step.guards) if one.text == way_out and not one.known), None)
            if guard is None or not _is_scaled_until(case, left) or update.detail.via != "scaler":
                continue
            renewed = [one for one in case.of(Kind.UPDATE) if any(other.span == guard.span for other in one.guards)]
            own = [one for one in renewed if one.subject == update.detail.scaler]
            if (
                own
                and items
                and all(item.detail.scaled_by == update.detail.scaler for item in items)
                and _asks(guard, asked)
            ):
                yield _hit(book, update, own[0], guard)
                break


_ABOUT = (Kind.BACKWARD, Kind.UNSCALE, Kind.STEP, Kind.UPDATE)


def _is_scaled_until(case: Case, left: int) -> bool:
    """Whether a backward is the last before an event that has to do with the scale."""
    kinds = (event.kind for event in reversed(case.events[:left]))
    return next((kind for kind in kinds if kind in _ABOUT), None) is Kind.BACKWARD


def _asks(guard: Guard, read: Event) -> bool:
    """Whether gradients are read in the condition of a guard, or in what it calls."""
    return any(_within(guard.span, span) for span in (read.span, *read.calls))


def _within(outer: Span, inner: Span) -> bool:
    return outer.module == inner.module and outer.row <= inner.row and inner.end_row <= outer.end_row


def _hit(book: Book, update: Update, renewal: Event, guard: Guard) -> Hit:
    return (
        Hit.at(update.step)
        .says(f"`{guard.text}` on {line_of(guard.span)} asks scaled gradients, and leaves out `{renewal.text}`, too.")
        .because("Only `update()` lowers the scale, and only `unscale_` or `step` tell it of an overflow.")
        .costs("After the first overflow the scale stays too high, and every later window overflows and is skipped.")
        .about(book.optimizer)
        .shows(renewal, "skipped together with the step")
        .mended(*_asked_unscaled(update, renewal, guard))
    )


def _asked_unscaled(update: Update, renewal: Event, guard: Guard) -> Iterator[Repair]:
    """The ways to unscale before the guard, and to update the scaler whether it steps or not."""
    both = scaler_and_optimizer(update.step)
    for first, *_ in unscaled_first(update, *both) if both is not None else ():
        title = "Unscale first, and update whether it steps or not"
        yield Repair(title, (first, *update_on_the_way_out(renewal, guard).edits))
