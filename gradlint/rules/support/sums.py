"""Sums: what an update adds up and nobody has divided.

loss.backward()                     three times, then a step: their sum
(ce / n).backward(); kl.backward()  one loss of each micro-batch has its share, the other is whole
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gradlint.account.case import tail
from gradlint.libraries.conventions.numbers import OBJECTIVE_NAME
from gradlint.model.books import Book, Contribution, Update
from gradlint.model.finding import Span
from gradlint.rules.support.telling import line


def full(book: Book) -> Iterator[Update]:
    """Updates that consume a whole window of several micro-batches."""
    for update in book.updates:
        count = len(update.consumed_batches)
        if count >= 2 and count == book.window_of(update):
            yield update


def summed(update: Update) -> Iterator[Sequence[Contribution]]:
    """What an update sums with weight 1: all it consumes, or one loss of each micro-batch beside a divided one."""
    count = len(update.consumed_batches)
    if all(_whole(item, count) for item in update.consumed):
        yield update.consumed
        return
    losses: dict[Span, list[Contribution]] = {}
    for item in update.consumed:
        losses.setdefault(item.event.span, []).append(item)
    whole = {span for span, items in losses.items() if all(_whole(item, count) for item in items)}
    if all(_shared_out(item, count) for span, items in losses.items() if span not in whole for item in items):
        yield from (items for span, items in losses.items() if span in whole and len(items) == count)


def _shared_out(item: Contribution, count: int) -> bool:
    """Whether a micro-batch has its share of a mean."""
    return item.factor.divided and item.weight is not None and item.weight * count == 1


def which(update: Update, items: Sequence[Contribution]) -> str:
    """What some contributions of an update are called in a message."""
    if len(items) == len(update.consumed):
        return "the loss"
    beside = next(item.event for item in update.consumed if item not in items)
    return f"the loss of this backward, unlike that on {line(beside)},"


def _whole(item: Contribution, count: int) -> bool:
    """Whether a micro-batch plainly keeps its own gradient, or more of it than a mean over so many has."""
    constants = all(OBJECTIVE_NAME[tail(key)] for key in item.factor.open)
    known = item.weight is not None and item.weight * count != 1 and constants
    plain = item.detail.framework in ("", "lightning", "fabric", "accelerate") and not item.detail.summed
    return known and plain and not item.factor.divided
