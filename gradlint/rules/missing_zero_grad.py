"""Gradients that are never cleared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gradlint.account.case import Case
from gradlint.model.books import Book, Update
from gradlint.model.events import Deed, Kind, Zero
from gradlint.model.finding import Safety, Severity, Span
from gradlint.model.ledger import Field
from gradlint.rules.support.crossing import across, behind, left_by_another, left_by_crossing
from gradlint.rules.support.doubts import cleared_later, stretch
from gradlint.rules.support.hit import Hit
from gradlint.rules.support.leftovers import (
    clear_each_time,
    is_left_behind,
    is_used_again,
    means_to_keep,
    own_doubts,
)
from gradlint.rules.support.rule import Rule
from gradlint.rules.support.telling import line


class MissingZeroGrad(Rule):
    """A step that consumes gradients which an earlier step has already consumed."""

    name = "missing-zero-grad"
    category = "lifecycle"
    severity = Severity.ERROR
    safety = Safety.SAFE
    summary = "Nothing zeroes the gradients between one optimizer step and the next window."
    reason = "every update then starts from nothing, with and without accumulation"
    effect = "Every update uses only its own gradients."
    speaks = frozenset({Field.OLD, Field.OTHERS})
    mends = frozenset({Kind.ZERO})
    excused_by = frozenset({Deed.CLEAR, Deed.STEP})
    absence = True

    def check(self, case: Case) -> Iterator[Hit]:
        """One hit for each step in a loop that spends gradients twice."""
        for book in case.books:
            for update in book.updates:
                if means_to_keep(update):
                    continue
                if is_used_again(case, book, update):
                    yield _again(case, book, update)
                    break
                if is_left_behind(case, update):
                    yield behind(case, update)
                    break
                if crossing := left_by_crossing(case, update):
                    yield across(case, update, crossing)
                    break

    def cleared(self, case: Case) -> Iterable[Span]:
        """Steps that always find cleared gradients."""
        later = [update for update in case.updates if update.previous is not None]
        stale = {update.step.span for update in later if update.stale or left_by_another(case, update)}
        return {update.step.span for update in later if update.consumed} - stale


def _again(case: Case, book: Book, update: Update) -> Hit:
    left = update.stale[-1].event
    own = left.span == update.consumed[-1].event.span
    still = (
        "added to the gradients of all iterations before" if own else "these gradients are still there at the next step"
    )
    part = next((one for one in update.zeros if isinstance(one.detail, Zero) and one.detail.root and one.text), None)
    between = f"`{part.text}` on {line(part)} clears only some of them" if part else "nothing clears them in between"
    impact = "The gradient grows with every step: after 100 steps an update is the sum of 100 gradients."
    if cleared_later(book):
        impact = "Updates go twice along gradients that are cleared only later."
    return (
        Hit.at(update.step)
        .says(f"`{update.step.text}` uses gradients again that an earlier update has already used; {between}.")
        .because(
            "`backward()` adds to the gradients, so without zero_grad() every update contains all updates before it."
        )
        .costs(impact)
        .of(case, update)
        .shows(left, still)
        .unless(*own_doubts(case, book, update))
        .within(stretch(update))
        .mended(*clear_each_time(case, update))
    )
