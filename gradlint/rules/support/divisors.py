"""Divisors of losses: one that is not the window, and one that a library divides by once more."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from gradlint.account.case import Case
from gradlint.account.ledgers import by_batch, divided_anew, factors, total_of
from gradlint.account.weights import by_window, is_window, of_terms
from gradlint.libraries.conventions.numbers import WINDOW_NAME
from gradlint.model.books import Book, Contribution, Update
from gradlint.model.edits import Divisor, Repair, Undivide
from gradlint.model.events import Backward, Event, Kind, Step
from gradlint.model.factor import Factor
from gradlint.model.finding import Span
from gradlint.model.record import replace
from gradlint.rules.support.windows import boundary


def wrongly_divided(book: Book, update: Update) -> Contribution | None:
    """The divided contribution of a full update whose weights do not add up to one."""
    if update.wiped or update.unevenly_written or not any(item.factor.divided for item in update.consumed):
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


def divisor_doubts(book: Book, update: Update, item: Contribution) -> Iterator[str]:
    """Why a divisor may be right that is not the window."""
    count = len(update.consumed_batches)
    named = by_window(item.factor, count, book.names if count > 1 else _gathered(book))
    if not named and not _summed_anyhow(book, update, item) and not _is_asked_of_the_window(update, item):
        yield "the divisor may be there for another reason"
    if _counts_terms(book, item):
        yield "one of the divisors may be the number of terms of the loss, and no window"
    if _of_a_scale(item.factor):
        yield "the divisor belongs to a scale that is no number in sight"
    if any(iteration.kind == "other" for iteration in item.event.stamp):
        yield "how often the loop around it turns cannot be seen"
    if book.open_ended(update):
        yield "how many micro-batches an update takes is decided while the loop runs"
    if _is_waited_for(update, item):
        yield "the step waits for just so many micro-batches, as far as its own words go"
    if divided_anew(update):
        yield "a loss of an earlier micro-batch may go back again"


def _counts_terms(book: Book, item: Contribution) -> bool:
    """Whether a sum is divided by the window, as it is called, and by another name besides: `/ crops`, `/ accum`."""
    parts = [part for part in item.detail.factor.parts if part.divides and part.number != 1]
    known = [is_window(part.text, book.names) for part in parts]
    terms = Fraction(1, max(item.detail.terms, 1))
    counts = any(part.number == terms < 1 for part, named in zip(parts, known, strict=True) if not named)
    return len(parts) > 1 and any(known) and counts


def _is_asked_of_the_window(update: Update, item: Contribution) -> bool:
    """Whether a mean is divided twice by one name, by which the step counts its micro-batches: `if n % SIZE == 0:`."""
    share = Fraction(1, len(update.consumed_batches))
    texts = [part.text for part in item.factor.parts if part.divides and part.number == share != 1]
    twice = {text for text in texts if texts.count(text) > 1 and text.replace(".", "").isidentifier()}
    asked = [guard.text for guard in update.step.guards]
    return item.detail.averaged and any(
        re.search(rf"(?<![\w.]){re.escape(one)}\b", two) for one in twice for two in asked
    )


def _is_waited_for(update: Update, item: Contribution) -> bool:
    """Whether the step asks a count for the one divisor there is: `loss / n`, `if count == n:`; what else may end it?"""
    parts = [part for part in item.factor.parts if part.divides and part.number != 1]
    if len(parts) != 1 or item.afterwards.divided or not parts[0].text:
        return False
    asked = re.compile(rf"(?:%|[=!<>]=|[<>]) ?{re.escape(parts[0].text)}(?!\s*[-+*/%.(\[\w])")
    return any(asked.search(guard.text) for guard in update.step.guards)


def _summed_anyhow(book: Book, update: Update, item: Contribution) -> bool:
    """Whether only inverses of whole numbers multiply a mean, which are too large for the window.

    They may be another window's, or weigh the objective: then nothing divides at all. Neither makes a mean.
    """
    parts = [part for part in item.factor.parts if part.number != 1]
    inverses = all(not part.divides and part.number.numerator == 1 for part in parts)
    return bool(parts) and inverses and item.detail.averaged and total_of(update, book) > 1


def _of_a_scale(factor: Factor) -> bool:
    """Whether the divisor is a part of what multiplies the loss: `scale = length * batch_size / 65536`, `loss * scale`."""
    ends = tuple(f"/ {part.text})" for part in factor.parts if part.divides and part.bare)
    return bool(ends) and any(text.endswith(ends) for text in factor.open)


def _gathered(book: Book) -> frozenset[str]:
    """What losses are divided by where several micro-batches are gathered: elsewhere it may be another mean."""
    several = (update for update in book.updates if len(update.consumed_batches) > 1)
    return frozenset(text for update in several for item in update.consumed for text in item.factor.texts)


def divide_once(update: Update, item: Contribution) -> tuple[Repair, ...]:
    """The ways to divide the loss of a contribution once, by the window."""
    again = Repair("Divide the loss once", (Undivide(item.event.span),))
    if _beside_library(update):
        return (replace(again, safe=True, doubt=_ITSELF),)
    if _twice(update):
        again = replace(again, safe=True, doubt=_SQUARED)
    if item.afterwards.divided:
        return (again,) if item.detail.factor.divided else ()
    other = Repair("Divide the loss by the window", (Divisor(item.event.span, *boundary(update)),))
    return (again, other) if len(item.factor.texts) > 1 or item.detail.framework == "accelerate" else (other, again)


_SQUARED = "the window divides it twice, and nobody means its square"


def _twice(update: Update) -> bool:
    """Whether every micro-batch of an update is divided by the window twice: by one name, or once in its gradients.

    Two names may stand for two numbers that are the same by chance: `/ crops`, `/ accum`.
    """
    share = Fraction(1, len(update.consumed_batches))
    guard = update.guard.text if update.guard else ""
    for item in update.consumed:
        parts = [part for part in item.factor.parts if part.divides]
        losses = [part.text for part in item.detail.factor.parts if part.divides]
        if item.weight is None or [part.number for part in parts] != [share, share] or any(one.bare for one in parts):
            return False
        asked = len(losses) == 1 and re.search(rf"% {re.escape(losses[0])}\b", guard) is not None
        if len({part.text for part in parts}) > 1 and not asked:
            return False
    return share < 1


_ITSELF = "the library divides by the same number itself"


def _beside_library(update: Update) -> bool:
    """Whether the loop divides every loss of an update by the very number that a library divides it by."""
    share = Fraction(1, len(update.consumed_batches))
    parts = [[(part.number, bool(part.library)) for part in item.factor.parts] for item in update.consumed]
    return share < 1 and all(sorted(found) == [(share, False), (share, True)] for found in parts)


def divided_twice(case: Case) -> list[tuple[Event, str, str]]:
    """Backwards whose loss the loop has divided by the window that the library divides by: window and library, too.

    A loop that steps DeepSpeed's engine less often than it runs backward has a window of its own.
    """
    backwards = [(event, event.detail) for event in case.of(Kind.BACKWARD) if isinstance(event.detail, Backward)]
    steps = [event for event in case.of(Kind.STEP) if isinstance(event.detail, Step) and event.detail.via == "engine"]
    found: dict[Span, tuple[Event, str, str]] = {}
    for event, detail in backwards:
        if detail.twice:
            found.setdefault(event.span, (event, detail.twice, "Accelerate"))
        if detail.framework == "engine" and len(backwards) == len(steps):
            for name in filter(WINDOW_NAME.search, detail.factor.texts):
                found.setdefault(event.span, (event, name, "DeepSpeed"))
    return list(found.values())


def leave_it_to(library: str, backward: Event) -> Repair:
    """The way to divide once where a library does: DeepSpeed's `backward` can be told not to."""
    certain = library == "Accelerate"
    return Repair("Divide the loss once", (Undivide(backward.span),), doubt=_ITSELF if certain else "", safe=certain)
