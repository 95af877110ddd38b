"""What one loss leaves in the gradients of another: a critic that is cleared too early to lose it.

critic_opt.step()
critic_opt.zero_grad()
-critic(fake).mean().backward()       fills the critic's gradients again
maker_opt.step()
"""

from __future__ import annotations

from gradlint.books import Book, Update, related_parts
from gradlint.mend import before_window, beside
from gradlint.rule import Case, Hit, doubts, evidence, line, related, stretch
from gradlint.trail import Event, Kind, Step


def left_by_another(case: Case, update: Update) -> bool:
    """Whether another optimizer's backward has left gradients here, behind this one's own clear, in each turn anew.

    A discriminator that is cleared after its step is filled again by the generator's loss. Who clears at the head of
    an iteration may want all that comes in it.
    """
    if case.freezes or case.truncated or update.stale or update.writes or update.opaques or update.detail.closure:
        return False
    plain = update.detail.origin == "made" and update.sure and len(update.consumed_batches) == 1
    if not (plain and update.zeros and update.foreign and all(item.sure for item in update.foreign)):
        return False
    if update.previous is None or not _directly_behind(case, update.previous, update.zeros[-1]):
        return False
    first = min(item.order for item in update.foreign)
    others = {event.subject: event.detail.params for event in case.of(Kind.STEP) if isinstance(event.detail, Step)}
    between = case.events[first : update.consumed[0].order]
    return update.zeros[-1].number < first and not any(
        event.kind is Kind.ZERO and _shared(others.get(event.subject), update.detail.params) for event in between
    )


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
        "Every update but the first follows the other loss as well as its own, often in the opposite direction.",
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
