"""A scaler that never learns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gradlint.books import Book
from gradlint.edits import Insert, Move, Repair
from gradlint.finding import Safety, Severity, Span
from gradlint.ledger import Field
from gradlint.mend import beside, scaler_and_optimizer, settled
from gradlint.rule import Case, Hit, Rule, called, related
from gradlint.trail import Event, Guard, Kind, Step
from gradlint.vocabulary import ABNORMAL_NAME


class MissingScalerUpdate(Rule):
    """`scaler.step` with no `scaler.update()` before the next one."""

    name = "missing-scaler-update"
    category = "mixed-precision"
    severity = Severity.ERROR
    safety = Safety.SAFE
    speaks = frozenset({Field.FAULT})
    summary = "`scaler.step` runs again before `scaler.update()` was called."
    reason = "PyTorch asks for one update after every `scaler.step`"
    effect = "The loss scale adapts, and the loop no longer ends in a RuntimeError."
    absence = True
    mends = frozenset({Kind.UPDATE})

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
                repairs=_repairs(case, step),
            )

        yield from _skipped(case)

    def cleared(self, case: Case) -> Iterable[Span]:
        """Scaler steps that an update always follows."""
        skipped = {hit.span for hit in _skipped(case)}
        found = [(step.span, updated and step.span not in skipped) for _, step, _, updated in _steps(case)]
        return {span for span, _ in found} - {span for span, updated in found if not updated}


def _skipped(case: Case) -> Iterator[Hit]:
    """Steps skipped on a bad gradient together with their update, although `unscale_` has run."""
    for book in case.books:
        for update in book.updates[:1]:
            if update.detail.via != "scaler" or not update.unscales:
                continue
            before = {guard.span for guard in update.unscales[-1].guards}
            later = [event for event in case.of(Kind.UPDATE) if event.number > update.step.number][:1]
            for event in later:
                shared = {guard.span for guard in event.guards if not guard.known and not guard.jump}
                skip = [guard for guard in update.step.guards if guard.span in shared - before and _skips(guard)]
                if skip:
                    yield _skip_hit(book, update.step, event, skip[0])


def _skips(guard: Guard) -> bool:
    """A guard on bad gradients whose other branch leaves the scaler alone."""
    return not guard.scales and bool(ABNORMAL_NAME.search(guard.text))


def _skip_hit(book: Book, step: Event, update: Event, guard: Guard) -> Hit:
    return Hit(
        step.span,
        f"When `{guard.text}` on line {guard.span.row} skips this step it skips `{update.text}` too, after `unscale_` has run.",
        "`update()` resets the scaler's state; it has to run in every iteration in which `unscale_` ran.",
        "PyTorch raises a RuntimeError at the next `unscale_`, in the iteration after the first bad gradient.",
        book.optimizer,
        (related(update, "skipped together with the step"),),
        repairs=(
            Repair("Update the scaler outside the guard", (Move((update.span,), guard.span, after=True, whole=False),)),
        ),
    )


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


def _repairs(case: Case, step: Event) -> tuple[Repair, ...]:
    both = scaler_and_optimizer(step)
    misplaced = dict.fromkeys(event.span for event in case.of(Kind.UPDATE))
    span = settled(case, step).span
    moves = [Repair("Update the scaler after the step", (Move((found,), span, after=True),)) for found in misplaced]
    if both is None or moves:
        return tuple(moves)
    steps = [event for event in case.of(Kind.STEP) if beside(event, step) and event.text.startswith(f"{both[0]}.")]
    span = settled(case, steps[-1]).span
    return (Repair("Update the scaler after the step", (Insert(f"{both[0]}.update()", span, "after"),)),)
