"""Losses that cross a network on their way to another one: a critic that steps with the generator's gradients, too.

critic_opt.zero_grad()
-critic(maker(noise)).mean().backward()               meant for the maker, and fills the critic's gradients
maker_opt.step()
critic(maker(noise).detach()).mean().backward()       the critic's own, which does not reach the maker
critic_opt.step()                                     follows both
"""

from __future__ import annotations

from collections.abc import Sequence

from gradlint.account.case import Case
from gradlint.model.books import Contribution, Update, real
from gradlint.model.edits import Insert, Repair
from gradlint.model.events import Event, Forward, Kind, Step
from gradlint.model.roots import may_share, overlaps
from gradlint.rules.support.clearing import before_window
from gradlint.rules.support.doubts import stretch
from gradlint.rules.support.hit import Hit
from gradlint.rules.support.leftovers import calls_around, is_left, is_left_behind, is_plain
from gradlint.rules.support.scaling import optimizer_of
from gradlint.rules.support.telling import line, place


def left_by_another(case: Case, update: Update) -> bool:
    """Whether another optimizer's backward has left gradients here that are not meant for this one."""
    return is_left_behind(case, update) or bool(left_by_crossing(case, update))


def left_by_crossing(case: Case, update: Update) -> tuple[Contribution, ...]:
    """What other losses have added here on their way to a network that this one's own losses are cut from.

    A critic's own loss takes what the generator makes detached, so that each trains with its own; the generator's goes
    through both, and nothing clears the critic before its step. Who shares parameters with another optimizer shares
    losses, too.
    """
    own = update.detail.params
    if not (own and is_plain(case, update) and update.zeros and update.crossing) or case.program.freezes_in_turn:
        return ()
    if any(may_share(params, own) for params in _params_of_others(case, update)) or _may_be_held(case, update):
        return ()
    left = tuple(
        item for item in update.crossing if item.sure and is_left(case, update, item.order, update.step.number)
    )
    called = all(calls_around(item.event) == calls_around(update.step) for item in left)
    return left if called else ()  # what another call left is its caller's to clear


def _may_be_held(case: Case, update: Update) -> bool:
    """Whether something out of sight is handed a network of this optimizer's: `hold(critic)`, `loss(critic, fake)`."""
    begun = update.previous.number if update.previous is not None else 0
    forwards = [event for event in case.events[begun : update.step.number] if _is_assumed(event)]
    return any(overlaps({event.subject}, update.detail.params) for event in forwards)


def _is_assumed(event: Event) -> bool:
    return isinstance(event.detail, Forward) and event.detail.assumed


def _params_of_others(case: Case, update: Update) -> list[frozenset[str] | None]:
    steps = [event for event in case.of(Kind.STEP) if event.subject != update.optimizer]
    return [event.detail.params for event in steps if isinstance(event.detail, Step)]


def behind(case: Case, update: Update) -> Hit:
    """What is said of an update whose clear, directly behind its step, comes before another loss."""
    left, zero, before = update.foreign[-1].event, update.zeros[-1], update.previous
    anew = before is not None and real(before.stamp)[:-1] != real(update.step.stamp)[:-1]
    which = "The first update behind it" if anew else "Every update but the first"
    return (
        Hit.at(update.step)
        .says(f"`{update.step.text}` uses gradients, too, that `{left.text}` on {line(left)} has left there.")
        .because(
            f"`{zero.text}` on {line(zero)} runs before that: what another loss sends through this network has to be cleared before its own backward."
        )
        .costs(f"{which} follows the other loss as well as its own, often in the opposite direction.")
        .of(case, update)
        .shows(left, "leaves gradients that are not meant for this step")
        .shows(zero, "clears too early")
        .within(stretch(update))
        .mended(*before_window("Clear the gradients before the forward pass", case, update, zero))
    )


def across(case: Case, update: Update, crossing: Sequence[Contribution]) -> Hit:
    """What is said of an update that takes these, too."""
    left, zero = crossing[-1].event, update.zeros[-1]
    within = any(item.order > update.consumed[0].order for item in crossing)
    cure = (
        "it has to be held still for that loss (`requires_grad_(False)`)"
        if within
        else "its gradients have to be cleared behind that, before its own backward"
    )
    return (
        Hit.at(update.step)
        .says(f"`{update.step.text}` uses gradients, too, that `{left.text}` on {line(left)} has left there.")
        .because(
            f"That loss goes through this network on its way to another one, which this one's own loss does not reach: {cure}."
        )
        .costs("Every update follows the other loss as well as its own, often in the opposite direction.")
        .of(case, update)
        .shows(left, "leaves gradients that are not meant for this step")
        .shows(zero, "clears too early")
        .within(stretch(update))
        .mended(*_clear_own("Clear the gradients before its own backward", update, crossing))
    )


def _clear_own(title: str, update: Update, crossing: Sequence[Contribution]) -> tuple[Repair, ...]:
    """The way to clear gradients right before an update's own backward, where all that others have added comes before."""
    first, optimizer = update.consumed[0], optimizer_of(update)
    early = all(item.order < first.order for item in crossing)
    steps = {(guard.span, guard.taken) for guard in first.event.guards} >= {
        (guard.span, guard.taken) for guard in update.step.guards
    }
    if optimizer is None or not early or not steps or len(update.batches) != 1:
        return ()
    clear = Insert(f"{optimizer}.zero_grad()", place(first.event, update.step))
    return (Repair(title, (clear,), unsafe=True, doubt="it may be meant to learn from both losses"),)
