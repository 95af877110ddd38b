"""Gradients that are never cleared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gradlint.account.case import Case
from gradlint.account.ledgers import evidence
from gradlint.model.books import Book, Update, epoch_of
from gradlint.model.edits import Insert, Repair
from gradlint.model.events import Deed, Kind, Zero
from gradlint.model.finding import Safety, Severity, Span
from gradlint.model.ledger import Field
from gradlint.rules.support.doubts import cleared_later, doubts, rewrites_spent, stretch
from gradlint.rules.support.leftovers import (
    carried_on,
    cleared_by_another,
    left_by_another,
    left_hit,
    replaced,
    surely_own,
)
from gradlint.rules.support.moves import after_others, before_window, optimizer_of, settled
from gradlint.rules.support.rule import Hit, Rule
from gradlint.rules.support.telling import line, related


class MissingZeroGrad(Rule):
    """A step that consumes gradients which an earlier step has already consumed."""

    name = "missing-zero-grad"
    category = "lifecycle"
    severity = Severity.ERROR
    safety = Safety.SAFE
    speaks = frozenset({Field.OLD, Field.OTHERS})
    excused_by = frozenset({Deed.CLEAR, Deed.STEP})
    summary = "Nothing zeroes the gradients between one optimizer step and the next window."
    reason = "every update then starts from nothing, with and without accumulation"
    effect = "Every update uses only its own gradients."
    absence = True
    mends = frozenset({Kind.ZERO})

    def check(self, case: Case) -> Iterator[Hit]:
        """One hit for each step in a loop that spends gradients twice."""
        for book in case.books:
            for update in book.updates:
                loop = case.looped and _in_one_loop(update)
                if carried_on(update) or replaced(update):
                    continue
                own = update.stale and update.consumed and _same_epoch(update)
                if own and (loop or surely_own(case, book, update)):
                    yield self._hit(case, book, update)
                    break
                if left_by_another(case, update):
                    yield left_hit(case, book, update)
                    break

    def _hit(self, case: Case, book: Book, update: Update) -> Hit:
        found = list(doubts(update, case))
        if (
            (update.detail.origin == "factory" and case.clears and not cleared_later(book))
            or update.detail.origin in ("engine", "foreign")
            or update.detail.framework == "horovod"
        ):
            found.append("the optimizer is made elsewhere and may clear gradients itself")
        if update.detail.origin in ("free", "parameter", "name") and cleared_by_another(case, update):
            found.append("another optimizer, which never steps here, clears gradients")
        if any(rewrites_spent(one, write) for one in book.updates for write in one.writes):
            found.append("what is left of a gradient is rewritten by hand after its step: it may be kept on purpose")
        return Hit(
            update.step.span,
            f"`{update.step.text}` uses gradients again that an earlier update has already used; {_cleared(update)}.",
            "`backward()` adds to the gradients, so without zero_grad() every update contains all updates before it.",
            "Updates go twice along gradients that are cleared only later."
            if cleared_later(book)
            else "The gradient grows with every step: after 100 steps an update is the sum of 100 gradients.",
            book.optimizer,
            (related(update.stale[-1].event, "these gradients are still there at the next step"),)
            if update.stale[-1].event.span != update.consumed[-1].event.span
            else (related(update.consumed[-1].event, "added to the gradients of all iterations before"),),
            evidence(update, book),
            tuple(found),
            _repairs(case, update),
            stretch=stretch(update),
        )

    def cleared(self, case: Case) -> Iterable[Span]:
        """Steps that always find cleared gradients."""
        later = [(book, update) for book in case.books for update in book.updates if update.previous is not None]
        stale = {update.step.span for _, update in later if update.stale or left_by_another(case, update)}
        return {update.step.span for _, update in later if update.consumed} - stale


def _cleared(update: Update) -> str:
    """What becomes of them in between: a model's own `zero_grad` leaves those of the others."""
    part = next(
        (zero for zero in update.zeros if isinstance(zero.detail, Zero) and zero.detail.root and zero.text), None
    )
    return (
        "nothing clears them in between" if part is None else f"`{part.text}` on {line(part)} clears only some of them"
    )


def _same_epoch(update: Update) -> bool:
    """The step before belongs to the same epoch, or each epoch is one window; what another call left is its caller's to clear."""
    if update.previous is None:
        return False
    before, stamp = update.previous.stamp, update.step.stamp
    whole = (
        bool(stamp) and stamp[-1].kind == "epoch" and before[:-1] == stamp[:-1] and before[-1].loop == stamp[-1].loop
    )
    return whole or epoch_of(before) == update.epoch


def _in_one_loop(update: Update) -> bool:
    """The step runs in a loop of its own, not once per call of a function whose callers may clear."""
    kinds = [iteration.kind for iteration in update.step.stamp]
    return any(kind in ("batch", "micro", "epoch") for kind in kinds)


def _repairs(case: Case, update: Update) -> tuple[Repair, ...]:
    optimizer = optimizer_of(update)
    if optimizer is None:
        return ()
    if update.detail.closure:
        where = "before loop" if len(update.consumed_batches) > 1 else "before"
        insert = Insert(f"{optimizer}.zero_grad()", update.consumed[-1].event.span, where)
        return (Repair("Clear the gradients before each evaluation of the closure", (insert,)),)
    insert = Insert(f"{optimizer}.zero_grad()", settled(case, update.step, zeros=True).span, "after")
    last = Insert(insert.code, insert.to, "end")  # behind what looks at them
    return (
        Repair("Clear the gradients after the step", (insert,)),
        *before_window("Clear the gradients before the forward pass", case, update),
        *after_others("Clear the gradients after the steps", case, update, None),
        Repair("Clear the gradients at the end of the update", (last,)),
    )
