"""A sum where the mean is meant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from gradlint.account.case import Case
from gradlint.model.books import Contribution, Update
from gradlint.model.events import Deed
from gradlint.model.finding import Safety, Severity, Span
from gradlint.model.ledger import Field
from gradlint.rules.support.doubts import stepped_sooner, stretch
from gradlint.rules.support.hit import Hit
from gradlint.rules.support.rule import Rule
from gradlint.rules.support.sizes import SO_MANY, share_in_words
from gradlint.rules.support.sums import divide_by_the_window, full, may_be_cached, steady_size, summed, which
from gradlint.rules.support.telling import line
from gradlint.rules.support.windows import intends_window


class UnscaledAccumulationLoss(Rule):
    """N micro-batches are summed into one update and nothing divides by N."""

    name = "unscaled-accumulation-loss"
    category = "accumulation"
    severity = Severity.ERROR
    safety = Safety.SAFE
    summary = "Gradients of several micro-batches are added up, but the loss is not divided by their number."
    reason = "the division stands in the backward call, so a logged loss keeps its meaning"
    effect = "An update is the mean over its window."
    speaks = frozenset({Field.WEIGHT})
    excused_by = frozenset({Deed.RESCALE, Deed.STEP})
    yields_to = frozenset({"zero-grad-in-accumulation"})
    absence = True

    def check(self, case: Case) -> Iterator[Hit]:
        """One hit for each backward whose weight stays 1 in a window of several."""
        for book in case.books:
            for update in full(book):
                yield from (_hit(case, update, items) for items in summed(update))

    def cleared(self, case: Case) -> Iterable[Span]:
        """Backward calls that a division does reach in some scenario."""
        items = (item for update in case.updates for item in update.consumed)
        return [item.event.span for item in items if _may_have_a_share(item)]


def _may_have_a_share(item: Contribution) -> bool:
    """Whether something divides a micro-batch, or may: not where one term of its loss is seen to go back whole."""
    whole = item.detail.undivided and item.afterwards.weight is not None and not item.afterwards.divided
    return item.factor.divided or (item.weight is None and not whole)


def _hit(case: Case, update: Update, items: Sequence[Contribution]) -> Hit:
    steady = steady_size(case, update)
    size, backward = share_in_words(case, steady, update), items[0].event
    beside = stepped_sooner(case, update)
    return (
        Hit.at(backward)
        .says(
            f"The update on {line(update.step)} sums the gradients of {size} micro-batches, but {which(update, items)} is never divided by {size}."
        )
        .because(
            "`backward()` adds to the gradients; their mean over the window needs each loss divided by the window's size."
            + (" It counts samples: these are N micro-batches." if size == SO_MANY else "")
        )
        .costs(f"Gradients are {size} times too large, as if the learning rate were {size} times higher.")
        .of(case, update)
        .guarded(update)
        .shows(update.step, f"one update for {size} micro-batches")
        .unless(
            "the model also runs without gradients in this window: each loss may span all of it",
            when=may_be_cached(case, update),
        )
        .unless(
            "the learning rate is divided by the window",
            when=update.detail.shared & {len(update.consumed_batches), steady},
        )
        .unless(
            "the window counts samples, over which the loss may be a sum",
            when=case.scenario.samples and not all(item.detail.averaged for item in items),
        )
        .unless(
            "another optimizer steps with each of these losses, and the rate may be chosen for the sum", when=beside
        )
        .unless("nothing says that this loop means to accumulate a mean", when=not intends_window(case, update))
        .within(stretch(update))
        .mended(*(() if beside else (divide_by_the_window(update, backward),)))
    )
