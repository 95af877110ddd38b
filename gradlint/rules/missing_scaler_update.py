"""A scaler that never learns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gradlint.account.case import Case, called
from gradlint.model.books import Book
from gradlint.model.edits import Insert, Move, Repair
from gradlint.model.events import Deed, Event, Guard, Kind, Step
from gradlint.model.finding import Safety, Severity, Span
from gradlint.model.ledger import Field
from gradlint.rules.support.moves import beside, scaler_and_optimizer, settled, spelled_alike, updates_of
from gradlint.rules.support.rule import Hit, Rule
from gradlint.rules.support.telling import related


class MissingScalerUpdate(Rule):
    """`scaler.step` with no `scaler.update()` before the next one."""

    name = "missing-scaler-update"
    category = "mixed-precision"
    severity = Severity.ERROR
    safety = Safety.SAFE
    speaks = frozenset({Field.FAULT})
    excused_by = frozenset({Deed.UPDATE})
    summary = "`scaler.step` runs again before `scaler.update()` was called."
    reason = "PyTorch asks for one update after every `scaler.step`"
    effect = "The loss scale adapts, and the loop no longer ends in a RuntimeError."
    absence = True
    rare = True
    mends = frozenset({Kind.UPDATE})

    def check(self, case: Case) -> Iterator[Hit]:
        """One hit for each scaler step whose update does not come."""
        for book, step, detail, end in _steps(case):
            if _updated(case, step, end) or detail.scaler is None:
                continue
            backwards = {item.event.function for update in book.updates for item in update.consumed}
            alone = not case.looped and step.function not in backwards
            yield Hit(
                step.span,
                f"`{step.text}` is {'not always' if updates_of(case, step) else 'never'} followed by `{called(detail.scaler)}.update()`.",
                "`update()` resets the scaler's state for the next step and adapts the loss scale.",
                "PyTorch raises a RuntimeError at the second step; with the scale frozen, overflows repeat forever.",
                book.optimizer,
                doubts=("the caller may update the scaler",) if alone else (),
                repairs=_repairs(case, step),
                stretch=(step.number, end),
            )
        yield from _skipped(case)

    def cleared(self, case: Case) -> Iterable[Span]:
        """Scaler steps that an update always follows."""
        found = [(step.span, _updated(case, step, end)) for _, step, _, end in _steps(case)]
        return {span for span, _ in found} - {span for span, updated in found if not updated}


def _skipped(case: Case) -> Iterator[Hit]:
    """The way out by which a step was skipped, with its update, after `unscale_` had run: the next one raises."""
    left, iteration = case.accident or (0, ())
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
        guard = next((one for one in reversed(steps[0].guards) if one.text == case.way_out and not one.known), None)
        if updates and guard is not None:
            yield _skip_hit(book, steps[0], updates[0], guard)


def _is_unscale(event: Event, optimizer: str) -> bool:
    return event.kind is Kind.UNSCALE and event.subject in (optimizer, "*")


def _skip_hit(book: Book, step: Event, update: Event, guard: Guard) -> Hit:
    move = Move((update.span,), guard.span, after=True, whole=False)
    outside, again = Repair("Update the scaler outside the guard", (move,)), Insert(update.text, guard.span, "leave")
    return Hit(
        step.span,
        f"When `{guard.text}` on line {guard.span.row} skips this step it skips `{update.text}` too, after `unscale_` has run.",
        "`update()` resets the scaler's state; it has to run in every iteration in which `unscale_` ran.",
        "PyTorch raises a RuntimeError at the next `unscale_`, in the iteration after the first bad gradient.",
        book.optimizer,
        (related(update, "skipped together with the step"),),
        repairs=(Repair("Update the scaler on this way, too", (again,)) if guard.jump else outside,),
    )


def _steps(case: Case) -> Iterator[tuple[Book, Event, Step, int]]:
    """(book, step, detail, until when an update may come: its next step); a last one without is left out."""
    for book in case.books:
        for number, update in enumerate(book.updates):
            if update.detail.via != "scaler":
                continue
            last = number + 1 >= len(book.updates)
            end = len(case.events) if last else book.updates[number + 1].step.number
            if last and number and not _updated(case, update.step, end):
                continue
            yield book, update.step, update.detail, end


def _updated(case: Case, step: Event, end: int) -> bool:
    """Whether the scaler is updated after a step and before an event."""
    return any(step.number < event.number < end for event in updates_of(case, step))


def _repairs(case: Case, step: Event) -> tuple[Repair, ...]:
    both, span = scaler_and_optimizer(step), settled(case, step).span
    misplaced = dict.fromkeys(event.span for event in spelled_alike(case, step))
    moves = [Repair("Update the scaler after the step", (Move((found,), span, after=True),)) for found in misplaced]
    if both is None or moves:
        return tuple(moves)
    steps = [event for event in case.of(Kind.STEP) if beside(event, step) and event.text.startswith(f"{both[0]}.")]
    span = settled(case, steps[-1]).span
    title, code = "Update the scaler after the step", f"{both[0]}.update()"
    return tuple(Repair(title, (Insert(code, span, where),)) for where in ("after", "after loop"))
