"""Dividing by something other than the window."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from gradlint.books import Book, Contribution, Update
from gradlint.edits import Divisor, Repair, Undivide
from gradlint.finding import Safety, Severity
from gradlint.ledger import Field
from gradlint.mend import boundary
from gradlint.ratio import ratio
from gradlint.rule import (
    Case,
    Hit,
    Rule,
    divided_twice,
    doubts,
    evidence,
    guard_related,
    line,
    related,
    stretch,
    window_divisor,
)
from gradlint.trail import Deed, Event


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
                item = _wrong(book, update, case.size)
                if item is not None:
                    yield self._hit(case, book, update, item)
                    break
        yield from (_by_library(*twice) for twice in divided_twice(case))

    def _hit(self, case: Case, book: Book, update: Update, item: Contribution) -> Hit:
        count = len(update.consumed_batches)
        total = sum((_value(other) for other in _one_each(update)), Fraction(0))
        size = case.times(count, update) if count > 1 else "1"
        other = () if window_divisor(case, item, count) else ("the divisor may be there for another reason",)
        return Hit(
            item.event.span,
            f"{'Near the end of an epoch the' if 1 < count < case.size else 'The'} update on {line(update.step)} takes {size} micro-batch{'es' if count > 1 else ''}, "
            f"but their losses are divided so that the weights add up to {total}, not 1.",
            f"Divide the loss once, by the number of micro-batches between two steps ({size}).",
            f"Gradients are {ratio(total)}, as if the learning rate were scaled by {total}.",
            book.optimizer,
            (*guard_related(update), related(update.step, f"one update for {size}")),
            evidence(update, book),
            (*doubts(update, case), *other),
            _repairs(update, item),
            stretch=stretch(update),
        )


def _by_library(event: Event, name: str, library: str) -> Hit:
    return Hit(
        event.span,
        f"`{event.text}` divides the loss by `{name}`, and so does this loop.",
        f"{library}'s `backward` divides by gradient_accumulation_steps itself.",
        f"Gradients are {name} times too small.",
        repairs=(Repair("Divide the loss once", (Undivide(event.span),)),),
    )


def _repairs(update: Update, item: Contribution) -> tuple[Repair, ...]:
    again = Repair("Divide the loss once", (Undivide(item.event.span),))
    other = Repair("Divide the loss by the window", (Divisor(item.event.span, *boundary(update)),))
    twice = len(item.detail.factor.texts) > 1 or item.detail.framework == "accelerate"
    return (again, other) if twice else (other, again)


def _value(item: Contribution) -> Fraction:
    factor = item.detail.factor
    assert factor.value is not None
    return factor.value * factor.literal if factor.divided else factor.value


def _one_each(update: Update) -> list[Contribution]:
    """The first contribution of every micro-batch."""
    return list({item.batch: item for item in reversed(update.consumed)}.values())[::-1]


def _wrong(book: Book, update: Update, size: int) -> Contribution | None:
    """The divided contribution of a full update whose weights do not add up to one."""
    count = len(update.consumed_batches)
    if not count or update.wiped or update.writes or count != book.window or book.cut_short(update, size):
        return None
    items = _one_each(update)
    if len({item.epoch for item in update.consumed}) > 1:
        return None  # a tail that leaked: its own rule tells it
    if any(
        item.detail.factor.value is None or item.detail.summed or item.detail.framework == "engine" for item in items
    ):
        return None
    divided = [item for item in items if item.detail.factor.divided]
    if not divided or any(item.detail.terms > 1 and item.detail.factor.value == 1 for item in divided):
        return None
    exact = sum((_value(item) for item in items), Fraction(0))
    computed = sum((item.detail.factor.value or Fraction(0) for item in items), Fraction(0))
    by_number = any(item.detail.factor.literal * count == 1 for item in divided)
    return None if exact in (0, 1) or (computed == 1 and not by_number) else divided[0]
