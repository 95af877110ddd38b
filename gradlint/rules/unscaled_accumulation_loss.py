"""A sum where the mean is meant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from gradlint.account.case import Case
from gradlint.account.ledgers import evidence
from gradlint.model.books import Book, Contribution, Update
from gradlint.model.edits import Loss, Repair
from gradlint.model.events import Deed, Forward, Kind
from gradlint.model.finding import Safety, Severity, Span
from gradlint.model.ledger import Field
from gradlint.rules.support.doubts import doubts, stretch
from gradlint.rules.support.moves import boundary
from gradlint.rules.support.rule import Hit, Rule
from gradlint.rules.support.sums import full, summed, which
from gradlint.rules.support.telling import guard_related, line, related
from gradlint.rules.support.windows import intends_window


class UnscaledAccumulationLoss(Rule):
    """N micro-batches are summed into one update and nothing divides by N."""

    name = "unscaled-accumulation-loss"
    category = "accumulation"
    severity = Severity.ERROR
    safety = Safety.SAFE
    speaks = frozenset({Field.WEIGHT})
    excused_by = frozenset({Deed.RESCALE, Deed.STEP})
    summary = "Gradients of several micro-batches are added up, but the loss is not divided by their number."
    reason = "the division stands in the backward call, so a logged loss keeps its meaning"
    effect = "An update is the mean over its window."
    absence = True
    yields_to = frozenset({"zero-grad-in-accumulation"})

    def check(self, case: Case) -> Iterator[Hit]:
        """One hit for each backward whose weight stays 1 in a window of several."""
        for book in case.books:
            for update in full(book):
                for items in summed(update):
                    yield self._hit(case, book, update, items)

    def _hit(self, case: Case, book: Book, update: Update, items: Sequence[Contribution]) -> Hit:
        size = case.times(_steady(case, book, update), update)
        backward = items[0].event
        found = list(doubts(update, case))
        if _cached(case, update):
            found.append("the model also runs without gradients in this window: each loss may span all of it")
        if update.detail.shared & {len(update.consumed_batches), _steady(case, book, update)}:
            found.append("the learning rate is divided by the window")
        if case.samples and not all(item.detail.averaged for item in items):
            found.append("the window counts samples, over which the loss may be a sum")
        if not intends_window(case, update):
            found.append("nothing says that this loop means to accumulate a mean")
        return Hit(
            backward.span,
            f"The update on {line(update.step)} sums the gradients of {size} micro-batches, but {which(update, items)} is never divided by {size}.",
            "`backward()` adds to the gradients; their mean over the window needs each loss divided by the window's size.",
            f"Gradients are {size} times too large, as if the learning rate were {size} times higher.",
            book.optimizer,
            (*guard_related(update), related(update.step, f"one update for {size} micro-batches")),
            evidence(update, book),
            tuple(found),
            (Repair("Divide the loss by the window", (Loss(backward.span, "{} / {window}", *boundary(update)),)),),
            stretch=stretch(update),
        )

    def cleared(self, case: Case) -> Iterable[Span]:
        """Backward calls that a division does reach in some scenario."""
        return [
            item.event.span
            for book in case.books
            for update in book.updates
            for item in update.consumed
            if item.factor.divided or item.weight is None
        ]


def _steady(case: Case, book: Book, update: Update) -> int:
    """How many micro-batches an update sums: where its first window is an odd one, the others say it."""
    sizes = {len(other.consumed_batches) for other in book.updates if other.step.span == update.step.span}
    return case.size if case.size in sizes else len(update.consumed_batches)


def _cached(case: Case, update: Update) -> bool:
    """Gradient caching: the same model runs without gradients between the two steps, and not to be evaluated."""
    start = update.previous.number if update.previous is not None else -1
    models = {root for item in update.consumed for root in item.detail.models}
    evaluated: set[str] = set()
    for event in case.events[start + 1 : update.step.number]:
        if event.kind is Kind.EVAL:
            evaluated.add(event.subject)
        elif event.kind is Kind.TRAIN:
            evaluated.discard(event.subject)
        elif event.subject in evaluated:
            continue
        elif isinstance(event.detail, Forward) and not event.detail.attached and event.subject in models:
            return True
    return False
