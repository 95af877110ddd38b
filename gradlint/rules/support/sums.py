"""Sums: what an update adds up and nobody has divided.

loss.backward()                     three times, then a step: their sum
(ce / n).backward(); kl.backward()  one loss of each micro-batch has its share, the other is whole
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

from gradlint.account.case import Case
from gradlint.account.names import tail
from gradlint.libraries.conventions.numbers import OBJECTIVE_NAME
from gradlint.model.books import Book, Contribution, Update
from gradlint.model.edits import Loss, Repair
from gradlint.model.events import Event, Forward, Kind
from gradlint.model.finding import Span
from gradlint.model.pattern import pattern
from gradlint.rules.support.telling import line
from gradlint.rules.support.windows import boundary


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
    constants = all(OBJECTIVE_NAME[tail(key)] or _SIZE.search(key) for key in item.factor.open)
    known = item.weight is not None and item.weight * count != 1 and constants
    plain = item.detail.framework in ("", "lightning", "fabric", "accelerate") and not item.detail.summed
    return known and plain and not item.factor.divided


_SIZE = pattern(r"\.shape\[-?\d\]$|\.size\(-?\d\)$|^len\(")
"""How many of something there are: a loss that is multiplied by it is no share of a mean."""


def steady_size(case: Case, update: Update) -> int:
    """How many micro-batches an update sums: where its first window is an odd one, the others say it."""
    others = (other for other in case.book_of(update).updates if other.step.span == update.step.span)
    sizes = {len(other.consumed_batches) for other in others}
    return case.scenario.size if case.scenario.size in sizes else len(update.consumed_batches)


def may_be_cached(case: Case, update: Update) -> bool:
    """Gradient caching: the same model runs without gradients ahead of a backward, and not to be evaluated.

    What another optimizer has stepped with before that backward ran for its sake: a generator for its critic.
    """
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
            others = [step.number for step in case.of(Kind.STEP) if step.subject != update.optimizer]
            for item in update.consumed:
                spent = any(event.number < other < item.event.number for other in others)
                if _leads_to(event, item.event) and not spent:
                    return True
    return False


def _leads_to(forward: Event, backward: Event) -> bool:
    """Whether a forward comes ahead of a backward in one iteration of every loop around both."""
    around = zip(forward.stamp, backward.stamp, strict=False)
    shared = takewhile(lambda pair: pair[0].loop == pair[1].loop, around)
    return forward.number < backward.number and all(one == other for one, other in shared)


def divide_by_the_window(update: Update, backward: Event) -> Repair:
    """The way to divide the loss of a backward by the window."""
    return Repair("Divide the loss by the window", (Loss(backward.span, "{} / {window}", *boundary(update)),))
