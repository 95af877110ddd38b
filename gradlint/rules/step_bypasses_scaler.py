"""Stepping past the scaler."""

from __future__ import annotations

from collections.abc import Iterator

from gradlint.account.case import Case, called
from gradlint.account.ledgers import evidence
from gradlint.model.books import Book, Update
from gradlint.model.edits import Choose, Delete, Insert, Repair, Replace
from gradlint.model.events import Deed, Event, Kind
from gradlint.model.finding import Safety, Severity
from gradlint.model.ledger import Field
from gradlint.rules.support.doubts import contradictory, doubts, stretch
from gradlint.rules.support.moves import amp_guard, beside, optimizer_of, scaler_of, settled
from gradlint.rules.support.rule import Hit, Rule
from gradlint.rules.support.telling import line, place, related


class StepBypassesScaler(Rule):
    """`optimizer.step()` where a scaled backward wants `scaler.step(optimizer)`."""

    name = "step-bypasses-scaler"
    category = "mixed-precision"
    severity = Severity.ERROR
    safety = Safety.SAFE
    speaks = frozenset({Field.SCALE})
    excused_by = frozenset({Deed.UNSCALE, Deed.RESCALE})
    summary = "The loss is scaled, but the optimizer is stepped directly instead of through the scaler."
    reason = "`scaler.step` does what the plain step does, with the scale taken out"
    effect = "Updates use true gradients, and overflows are skipped."
    mends = frozenset({Kind.UPDATE})

    def check(self, case: Case) -> Iterator[Hit]:
        """One hit for each plain step that consumes gradients of a scaled loss."""
        for book in case.books:
            for update in book.updates:
                scaled = [item for item in update.consumed if item.detail.scaled_by]
                plain = update.detail.via == "plain" and update.detail.framework in ("", "sam")
                if scaled and plain and not _given(update.step, scaled[0].event):
                    yield self._hit(case, book, update)

    def _hit(self, case: Case, book: Book, update: Update) -> Hit:
        backward = next(item.event for item in update.consumed if item.detail.scaled_by)
        unscaled = not any(item.scaled for item in update.consumed)
        found = list(doubts(update, case))
        if contradictory(backward, update.step):
            found.append("the backward and the step may exclude each other")
        if update.writes:
            found.append("the gradients are rewritten by hand")
        impact = (
            "Steps with inf or NaN gradients are no longer skipped: one overflow destroys the weights."
            if unscaled
            else "The gradients are 65536 times too large at the usual scale, and overflows are never skipped."
        )
        return Hit(
            update.step.span,
            f"`{update.step.text}` bypasses the scaler that scaled the loss on {line(backward)}.",
            f"Only `scaler.step({called(book.optimizer)})` unscales the gradients and skips a step that overflowed.",
            impact,
            book.optimizer,
            (related(backward, "the loss is scaled here"),),
            evidence(update, book),
            tuple(found),
            _repairs(case, update, backward),
            stretch=stretch(update),
        )


def _given(step: Event, backward: Event) -> bool:
    """Whether the scaler is handed to the step, which may go through it: `optimizer.step_and_log(scaler)`."""
    scaler = scaler_of(backward)
    return scaler is not None and scaler in step.text.partition("(")[2]


def _repairs(case: Case, update: Update, backward: Event) -> tuple[Repair, ...]:
    scaler, optimizer = scaler_of(backward), optimizer_of(update)
    if scaler is None or optimizer is None or update.detail.closure:
        return ()
    step = Replace(update.step.span, f"{scaler}.step({optimizer})")
    renew = "" if case.of(Kind.UPDATE) else f"{scaler}.update()"
    guard = amp_guard(backward, update.step)
    if guard:
        return (Repair("Step through the scaler", (Choose(guard, step, renew),)),)
    ahead = next((event for event in _renewed(case, update, backward) if beside(event, update.step)), None)
    if ahead is not None:
        moved = (Delete(update.step.span), Insert(step.code, place(ahead, update.step)))
        return (Repair("Step through the scaler", moved), Repair("Step through the scaler", (step,)))
    more = (Insert(renew, settled(case, update.step).span, "after"),) if renew else ()
    return (Repair("Step through the scaler", (step, *more)),)


def _renewed(case: Case, update: Update, backward: Event) -> list[Event]:
    """The scaler's updates between a backward and its step: behind them the scale may be another."""
    between = range(backward.number, update.step.number)
    return [event for event in case.of(Kind.UPDATE) if event.number in between]
