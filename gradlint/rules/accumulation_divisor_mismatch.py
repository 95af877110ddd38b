"""Dividing by something other than the window."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from gradlint.account.case import Case
from gradlint.account.ledgers import by_batch, evidence, factors, total_of
from gradlint.account.weights import by_window, of_terms
from gradlint.model.books import Book, Contribution, Update
from gradlint.model.edits import Divisor, Repair, Undivide
from gradlint.model.events import Deed, Event
from gradlint.model.finding import Safety, Severity
from gradlint.model.ledger import Field
from gradlint.rules.support.doubts import doubts, stretch
from gradlint.rules.support.moves import boundary, divisor_doubts, gathered
from gradlint.rules.support.ratio import ratio
from gradlint.rules.support.rule import Hit, Rule
from gradlint.rules.support.telling import guard_related, line, related
from gradlint.rules.support.windows import divided_twice


class AccumulationDivisorMismatch(Rule):
    """The loss is divided, but not by the number of micro-batches that make an update."""

    name = "accumulation-divisor-mismatch"
    category = "accumulation"
    severity = Severity.ERROR
    safety = Safety.UNSAFE
    speaks = frozenset({Field.WEIGHT})
    excused_by = frozenset({Deed.RESCALE, Deed.STEP})
    summary = "The loss is divided by something other than the number of micro-batches in the window."
    reason = "a learning rate may have been tuned to the size that updates have now"
    effect = "An update is the mean over the window."
    yields_to = frozenset({"zero-grad-in-accumulation", "accumulation-off-by-one", "zero-grad-before-step"})

    def check(self, case: Case) -> Iterator[Hit]:
        """One hit for each backward whose weights do not add up to one."""
        for book in case.books:
            for update in book.updates:
                item = _wrong(book, update)
                if item is not None:
                    yield self._hit(case, book, update, item)
                    break
        yield from (_by_library(*twice) for twice in divided_twice(case))

    def _hit(self, case: Case, book: Book, update: Update, item: Contribution) -> Hit:
        count = len(update.consumed_batches)
        total = total_of(update, book)
        inverse = 1 / total if total else total
        parts = case.times(int(inverse), update) if inverse > 1 and inverse.denominator == 1 else ""
        said, weights = (f"{parts} times too small", f"1/{parts}") if parts else (ratio(total), str(total))
        size = case.times(count, update) if count > 1 else "1"
        mine = by_window(item.factor, count, book.names if count > 1 else gathered(book))
        other = divisor_doubts(book, update, item, mine=mine)
        return Hit(
            item.event.span,
            f"{'Near the end of an epoch the' if 1 < count < case.size else 'The'} update on {line(update.step)} takes {size} micro-batch{'es' if count > 1 else ''}, "
            f"but their {_divided(item)} are divided so that the weights add up to {weights}, not 1.",
            f"Divide the loss once, by the number of micro-batches between two steps ({size}).",
            f"Gradients are {said}, as if the learning rate were scaled by {weights}.",
            book.optimizer,
            (*guard_related(update), related(update.step, f"one update for {size}")),
            evidence(update, book),
            (*doubts(update, case), *other),
            _repairs(update, item),
            stretch=stretch(update),
        )


def _divided(item: Contribution) -> str:
    both = (("losses", item.detail.factor), ("gradients", item.afterwards))
    return " and ".join(name for name, factor in both if factor.divided)


def _by_library(event: Event, name: str, library: str) -> Hit:
    certain = library == "Accelerate"  # DeepSpeed's `backward` can be told not to divide
    once = Repair("Divide the loss once", (Undivide(event.span),), doubt=_ITSELF if certain else "", safe=certain)
    return Hit(
        event.span,
        f"`{event.text}` divides the loss by `{name}`, and so does this loop.",
        f"{library}'s `backward` divides by gradient_accumulation_steps itself.",
        f"Gradients are {name} times too small.",
        repairs=(once,),
    )


_ITSELF = "the library divides by the same number itself"


def _repairs(update: Update, item: Contribution) -> tuple[Repair, ...]:
    again = Repair("Divide the loss once", (Undivide(item.event.span),))
    if _beside_library(update):
        return (replace(again, safe=True, doubt=_ITSELF),)
    if item.afterwards.divided:
        return (again,) if item.detail.factor.divided else ()
    other = Repair("Divide the loss by the window", (Divisor(item.event.span, *boundary(update)),))
    return (again, other) if len(item.factor.texts) > 1 or item.detail.framework == "accelerate" else (other, again)


def _beside_library(update: Update) -> bool:
    """Whether the loop divides every loss of an update by the very number that a library divides it by."""
    share = Fraction(1, len(update.consumed_batches))
    parts = [[(part.number, bool(part.library)) for part in item.factor.parts] for item in update.consumed]
    return share < 1 and all(sorted(found) == [(share, False), (share, True)] for found in parts)


def _wrong(book: Book, update: Update) -> Contribution | None:
    """The divided contribution of a full update whose weights do not add up to one."""
    if not any(item.factor.divided for item in update.consumed) or update.wiped or update.unevenly_written:
        return None
    apart = len({item.epoch for item in update.consumed}) > 1
    if len(update.consumed_batches) != book.window_of(update) or book.cut_short(update) or apart:
        return None  # a tail that leaked: its own rule tells it
    if any(factor.weight is None for factor in factors(update)):
        return None
    items = [first for first, *_ in by_batch(update.consumed)]
    if any(item.detail.summed or item.detail.framework == "engine" for item in items):
        return None
    divided = [item for item in items if item.factor.divided]
    if not divided or any(of_terms(item.factor, item.detail.terms) for item in divided):
        return None
    return None if total_of(update, book) in (0, 1) else divided[0]
