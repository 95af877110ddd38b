"""A scaler that never learns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gradlint.books import Book
from gradlint.finding import Safety, Severity, Span
from gradlint.rule import Case, Hit, Rule, called
from gradlint.trail import Event, Kind, Step


class MissingScalerUpdate(Rule):
    """`scaler.step` with no `scaler.update()` before the next one."""

    name = "missing-scaler-update"
    category = "mixed-precision"
    severity = Severity.ERROR
    safety = Safety.SAFE
    summary = "`scaler.step` is never followed by `scaler.update()`."
    absence = True

    def check(self, case: Case) -> Iterator[Hit]:
        """One hit for each scaler step whose update does not come."""
        for book, step, detail, updated in _steps(case):
            if updated or detail.scaler is None:
                continue
            found = [f"`{event.text[:60]}` cannot be followed" for event in case.of(Kind.OPAQUE)[:1]]
            backwards = {item.event.function for update in book.updates for item in update.consumed}
            if not case.looped and step.function not in backwards:
                found.append("the caller may update the scaler")
            scaler = called(detail.scaler)
            yield Hit(
                step.span,
                f"`{step.text}` is never followed by `{scaler}.update()`.",
                "`update()` resets the scaler's state for the next step and adapts the loss scale.",
                "PyTorch raises a RuntimeError at the second step; with the scale frozen, overflows repeat forever.",
                book.optimizer,
                doubts=tuple(found),
            )

    def cleared(self, case: Case) -> Iterable[Span]:
        """Scaler steps that an update always follows."""
        found = [(step.span, updated) for _, step, _, updated in _steps(case)]
        return {span for span, _ in found} - {span for span, updated in found if not updated}


def _steps(case: Case) -> Iterator[tuple[Book, Event, Step, bool]]:
    """(book, step, detail, whether an update comes before this optimizer's next step)."""
    updates = [event.number for event in case.of(Kind.UPDATE)]
    for book in case.books:
        for number, update in enumerate(book.updates):
            if update.detail.via != "scaler":
                continue
            last = number + 1 >= len(book.updates)
            end = case.events[-1].number + 1 if last else book.updates[number + 1].step.number
            updated = any(update.step.number < place < end for place in updates)
            if last and number and not updated:
                continue
            yield book, update.step, update.detail, updated


