"""Rows: what a ledger says of one update, as executed and as the loop means it.

The row that is meant has one column for each micro-batch that the update should take:

    a full window       N, each with 1/N of the objective
    a ragged tail       those that are left, k of them: 1/k where the loop divides by their number or not at all,
                        1/N where it divides by the full window, and can mean nothing else there
    unknown weights     stay unknown: nobody can say that they are wrong
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations

from gradlint.account.names import called
from gradlint.account.weights import share, window_parts
from gradlint.model.books import Book, Clip, Contribution, Update
from gradlint.model.events import Schedule, Stamp
from gradlint.model.factor import ONE, Factor, common
from gradlint.model.finding import Evidence
from gradlint.model.ledger import Clip as ClipState
from gradlint.model.ledger import Ledger, Row, Weight
from gradlint.model.roots import related_parts


def factor_of(items: Iterable[Contribution]) -> Factor:
    """What multiplies the gradient of one micro-batch, whatever number of backwards it came in."""
    return common(item.factor for item in items)


def by_batch(items: Iterable[Contribution]) -> list[list[Contribution]]:
    """The contributions of each micro-batch, in order."""
    found: dict[Stamp, list[Contribution]] = {}
    for item in sorted(items, key=lambda item: item.order):
        found.setdefault(item.batch, []).append(item)
    return list(found.values())


def factors(update: Update) -> list[Factor]:
    """What multiplies each micro-batch that an update consumes."""
    return [factor_of(items) for items in by_batch(update.consumed)]


def total_of(update: Update, book: Book) -> Fraction:
    """What the weights of an update add up to, constants of the objective left out: 1 for a mean."""
    known = factors(update)
    return sum((share(factor, {len(known)}, book.names) for factor in known), Fraction(0))


def executed_row(update: Update, book: Book) -> Row:
    """What an update consumed, one weight for each micro-batch."""
    late = leaked(update, book)
    old = [*by_batch(update.stale), *by_batch(item for item in update.consumed if item.batch in late)]
    weights = [Weight(_old(number, len(old)), factor_of(items).weight, extra=True) for number, items in enumerate(old)]
    consumed = {id(item) for item in update.consumed}
    for number, items in enumerate(_own(update, book), 1):
        alive = [item for item in items if id(item) in consumed]
        weights.append(Weight(f"g{number}", factor_of(alive).weight if alive else Fraction(0)))
    return Row(
        update=update.number + 1,
        weights=tuple(weights),
        scaled=any(item.scaled and not item.detail.inside for item in update.consumed)
        and update.detail.via != "scaler",
        clip=clip_state(update),
        all_reduces=_all_reduces(update.consumed),
        scheduler_moves=_moves(update),
    )


def meant_row(update: Update, book: Book) -> Row:
    """The row the loop means: the window's mean, unscaled, clipped once, synchronised once."""
    clip = ClipState.NONE if clip_state(update) is ClipState.NONE else ClipState.RIGHT
    return Row(
        update=update.number + 1,
        weights=tuple(Weight(f"g{number}", value) for number, value in enumerate(_meant(update, book), 1)),
        clip=clip,
        all_reduces=None if _all_reduces(update.consumed) is None else 1,
        scheduler_moves=_meant_moves(update),
    )


def _meant(update: Update, book: Book) -> list[Fraction | None]:
    own = _own(update, book)
    tail = book.tail(update)
    size = len(own) if tail else book.window_of(update) or max(1, len(own))
    longer = [window for window in book.whole(update) if window > size] if tail else []
    known = [factor_of(items) for items in own][:size]
    known += [_usual(known)] * (size - len(known))
    return [_mean(factor, size, longer, book.names) for factor in known]


def _own(update: Update, book: Book) -> list[list[Contribution]]:
    """The micro-batches since the last step, cleared ones too; those that an earlier epoch has left are not its own."""
    late = leaked(update, book)
    everything = by_batch([*(item for item, _ in update.wiped), *update.consumed])
    return [items for items in everything if items[0].batch not in late]


def _usual(known: Sequence[Factor]) -> Factor:
    """That of a micro-batch which is not there: as of those that are, where these agree."""
    return known[0] if known and all(one == known[0] for one in known) else ONE


def _mean(factor: Factor, count: int, longer: Sequence[int], names: frozenset[str]) -> Fraction | None:
    """The weight that a micro-batch has in the mean of `count`, which may be the rest of a longer window."""
    if factor.weight is None:
        return None
    part = share(factor, {count, *longer}, names) or Fraction(1)
    by = next((window for window in (count, *longer) if part == Fraction(1, window)), None)
    if by is None:
        by = longer[0] if longer and window_parts(factor, {count, *longer}, names) else count
    return factor.weight / part / by


def leaked(update: Update, book: Book) -> frozenset[Stamp]:
    """Micro-batches of an earlier epoch in a window that is full without them."""
    window = book.window_of(update) or 1
    batches = update.consumed_batches
    if len(batches) <= window or not batches[-1] or batches[-1][-1].kind != "batch":
        return frozenset()
    return frozenset(item.batch for item in update.consumed if item.epoch != update.consumed[-1].epoch)


def _old(number: int, count: int) -> str:
    return "old" if count == 1 else f"old {number + 1}"


def _all_reduces(items: Iterable[Contribution]) -> int | None:
    known = [item for item in items if item.detail.synced is not None and item.detail.wrapper]
    return sum(bool(item.detail.synced) for item in known) if known else None


def _moves(update: Update) -> int | None:
    return len(update.schedules) or None


def _meant_moves(update: Update) -> int | None:
    """Each schedule moves once for an update; those that are told where to go may be told as often as they like."""
    told = [event for event in update.schedules if isinstance(event.detail, Schedule) and event.detail.positional]
    return len(told) + len({event.subject for event in update.schedules if event not in told}) or None


def clip_state(update: Update) -> ClipState:
    """How the gradient that an update consumed had been clipped."""
    clips = [clip for clip in update.clips if not clip.detail.infinite]  # those only measure
    if not clips:
        return ClipState.NONE
    if any(clip.detail.exhausted for clip in clips):
        return ClipState.EMPTY
    if any(clip.scaled for clip in clips):
        return ClipState.SCALED
    if not any(clip.live for clip in clips):
        return ClipState.LATE if update.previous is not None else ClipState.EARLY
    live = [clip for clip in clips if clip.live]
    return ClipState.RIGHT if all(_together(*pair) for pair in combinations(live, 2)) else ClipState.EACH


def _together(one: Clip, other: Clip) -> bool:
    """Whether two clips make one limit: of two groups of parameters at the same place, or of values beside the norm."""
    if one.live[-1].batch != other.live[-1].batch:
        return False
    ours, theirs = one.detail.roots, other.detail.roots
    if one.detail.by != other.detail.by:
        return True
    return bool(ours and theirs) and not any(related_parts(this, that) for this in ours or () for that in theirs or ())


def divided_anew(update: Update) -> bool:
    """Whether more numbers divide one loss of an update than another: one may be carried on to the next batch."""
    return len({sum(part.divides for part in item.detail.factor.parts) for item in update.consumed}) > 1


def evidence(update: Update, book: Book) -> Evidence:
    """An update as executed beside the update the loop means."""
    return Evidence(called(book.optimizer), book.window_of(update), executed_row(update, book), meant_row(update, book))


def ledgers(book: Book) -> tuple[Ledger, Ledger]:
    """A whole book as (executed, meant)."""
    name = called(book.optimizer)
    executed = tuple(executed_row(update, book) for update in book.updates)
    meant = tuple(meant_row(update, book) for update in book.updates)
    return Ledger(name, book.windows, executed), Ledger(name, book.windows, meant)
