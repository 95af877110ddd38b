"""Wiping what the window has gathered."""

from __future__ import annotations

from collections.abc import Iterator

from gradlint.account.case import Case
from gradlint.account.ledgers import evidence
from gradlint.model.books import Book, Contribution, Update
from gradlint.model.edits import Delete, Insert, Repair
from gradlint.model.events import Deed, Event, Kind
from gradlint.model.finding import Safety, Severity
from gradlint.model.ledger import Field
from gradlint.rules.support.doubts import doubts
from gradlint.rules.support.leftovers import for_itself, lost_hit, lost_of_window, lost_term
from gradlint.rules.support.moves import after_others, after_step, before_window, beside, clear_after
from gradlint.rules.support.rule import Hit, Rule
from gradlint.rules.support.telling import guard_related, inside, line, related, spot


class ZeroGradInAccumulation(Rule):
    """Gradients of earlier micro-batches are cleared before the step that should use them."""

    name = "zero-grad-in-accumulation"
    category = "accumulation"
    severity = Severity.ERROR
    safety = Safety.SAFE
    speaks = frozenset({Field.WINDOW, Field.OLD, Field.OTHERS})
    excused_by = frozenset({Deed.STEP, Deed.ADD})
    summary = "Gradients are zeroed inside the accumulation window, before the step has used them."
    reason = "the gradients of a window are cleared once they are used"
    effect = "Every micro-batch of the window counts."
    mends = frozenset({Kind.ZERO})

    def check(self, case: Case) -> Iterator[Hit]:
        """One hit for each zero that wipes a window's earlier micro-batches."""
        for book in case.books:
            for update in book.updates:
                if wiped := lost_of_window(case, book, update):
                    yield self._hit(case, book, update, wiped)
                elif (
                    update.consumed and (lost := lost_term(case, update)) is not None and not for_itself(*lost, update)
                ):
                    yield lost_hit(case, book, update, *lost)

    def _hit(self, case: Case, book: Book, update: Update, wiped: list[tuple[Contribution, Event]]) -> Hit:
        item, zero = wiped[0]
        left = len(update.consumed_batches)
        size = case.times(len({lost.batch for lost, _ in wiped}) + left, update)
        remains = "only the last one is" if left == 1 else f"only {left} are"
        return Hit(
            spot(case, zero, update.step),
            f"{f'`{zero.text}`' if zero.text else 'This loop'} clears the gradients that {size} micro-batches should gather for `{update.step.text}` on {line(update.step)}.",
            "It runs between the backward passes of one window, so what earlier micro-batches added is lost.",
            f"Of {size} micro-batches in an update {remains} used; the work on the others is lost.",
            book.optimizer,
            (
                *inside(zero, spot(case, zero, update.step), update.step),
                *guard_related(update),
                related(update.step, f"the window of {size} ends here"),
            ),
            evidence(update, book),
            doubts(update, case),
            _repairs(case, book, update, zero),
            stretch=(item.event.number, update.step.number),
        )


def _repairs(case: Case, book: Book, update: Update, zero: Event) -> tuple[Repair, ...]:
    title = "Clear the gradients once, after the step"
    sites = {other.span for one in book.updates for other in one.zeros}
    behind = {one.span for one in case.of(Kind.ZERO) if one.number > update.step.number and beside(one, update.step)}
    others = [one for one in case.of(Kind.ZERO) if one.span in sites - behind - {zero.span} and beside(one, zero)]
    places = dict.fromkeys((zero.span, *(other.span for other in others)))
    kept = [one for one in case.of(Kind.ZERO) if one.span in sites - set(places)]
    only, gone = "Clear the gradients only after the step", tuple(Delete(span) for span in places)
    ahead = (Insert(zero.text, zero.span, "before loop"),) if zero.text else ()
    behind_it = any(_as_often(one, zero, update.step) for one in kept)
    return (
        *((Repair(only, gone), Repair(title, (*ahead, *gone))) if behind_it else ()),
        *after_step(title, case, zero, update.step, (), others),
        *before_window(title, case, update, zero, others),
        *after_step(title, case, zero, update.step, ahead, others),
        *clear_after(title, case, zero, update),
        *(() if others else after_others(title, case, update, zero)),
    )


def _as_often(other: Event, zero: Event, step: Event) -> bool:
    """Whether another zero does for every window: it asks nothing but where the window ends."""
    around = {guard.span for guard in (*zero.guards, *step.guards)}
    return all(guard.span in around or "%" in guard.text for guard in other.guards)
