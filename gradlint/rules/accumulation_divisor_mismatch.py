"""Dividing by something other than the window."""

from __future__ import annotations

from collections.abc import Iterator

from gradlint.account.case import Case
from gradlint.account.ledgers import total_of
from gradlint.model.books import Book, Contribution, Update
from gradlint.model.events import Deed, Event
from gradlint.model.finding import Safety, Severity
from gradlint.model.ledger import Field
from gradlint.rules.support.divisors import (
    divide_once,
    divided_twice,
    divisor_doubts,
    leave_it_to,
    wrongly_divided,
)
from gradlint.rules.support.doubts import stretch
from gradlint.rules.support.hit import Hit
from gradlint.rules.support.rule import Rule
from gradlint.rules.support.sizes import in_words, ratio
from gradlint.rules.support.telling import line


class AccumulationDivisorMismatch(Rule):
    """The loss is divided, but not by the number of micro-batches that make an update."""

    name = "accumulation-divisor-mismatch"
    category = "accumulation"
    severity = Severity.ERROR
    safety = Safety.UNSAFE
    summary = "The loss is divided by something other than the number of micro-batches in the window."
    reason = "a learning rate may have been tuned to the size that updates have now"
    effect = "An update is the mean over the window."
    speaks = frozenset({Field.WEIGHT})
    excused_by = frozenset({Deed.RESCALE, Deed.STEP})
    yields_to = frozenset({"zero-grad-in-accumulation", "accumulation-off-by-one", "zero-grad-before-step"})

    def check(self, case: Case) -> Iterator[Hit]:
        """One hit for each backward whose weights do not add up to one."""
        for book in case.books:
            for update in book.updates:
                item = wrongly_divided(book, update)
                if item is not None:
                    yield _hit(case, book, update, item)
                    break
        yield from (_by_library(*twice) for twice in divided_twice(case))


def _hit(case: Case, book: Book, update: Update, item: Contribution) -> Hit:
    count = len(update.consumed_batches)
    total = total_of(update, book)
    inverse = 1 / total if total else total
    parts = in_words(case, int(inverse), update) if inverse > 1 and inverse.denominator == 1 else ""
    said, weights = (f"{parts} times too small", f"1/{parts}") if parts else (ratio(total), str(total))
    size, ending = (in_words(case, count, update), "es") if count > 1 else ("1", "")
    largest = max(len(one.consumed_batches) for one in book.updates)
    which = "Near the end of an epoch the" if 1 < count < min(largest, case.scenario.size) else "The"
    both = (("losses", item.detail.factor), ("gradients", item.afterwards))
    divided = " and ".join(name for name, factor in both if factor.divided)
    return (
        Hit.at(item.event)
        .says(
            f"{which} update on {line(update.step)} takes {size} micro-batch{ending}, "
            f"but their {divided} are divided so that the weights add up to {weights}, not 1."
        )
        .because(f"Divide the loss once, by the number of micro-batches between two steps ({size}).")
        .costs(f"Gradients are {said}, as if the learning rate were scaled by {weights}.")
        .of(case, update)
        .guarded(update)
        .shows(update.step, f"one update for {size}")
        .unless(*divisor_doubts(book, update, item))
        .within(stretch(update))
        .mended(*divide_once(update, item))
    )


def _by_library(event: Event, name: str, library: str) -> Hit:
    return (
        Hit.at(event)
        .says(f"`{event.text}` divides the loss by `{name}`, and so does this loop.")
        .because(f"{library}'s `backward` divides by gradient_accumulation_steps itself.")
        .costs(f"Gradients are {name} times too small.")
        .mended(leave_it_to(library, event))
        .left_by_others()
    )
