"""What a run has to have shown before a loop may be called confirmed. That no mistake shows is not enough.

the window that the source names was filled once             else  window never filled
every backward was spent by some update                            backward reaches no update
each update consumed what it is meant to, to the last digit        difference nobody explains
the micro-batches can be told apart                                not separable
the loops ran over more than a stand-in of one batch               loader out of sight
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from gradlint.verify.measures import CLOSE, highest, leftovers, too_long
from gradlint.verify.observables import doubt
from gradlint.verify.reasons import Reason
from gradlint.verify.record import HI, INF, LO, TAIL, Record, Update
from gradlint.verify.windows import Window, fold

EXACT = 1e-3
"""How far what was consumed may be from its reference, relative to it: less than one micro-batch of a window of 64."""
FAR = 10.0
"""How far below its limit a clipped norm may be: what a clip sees may be more than the optimizer owns."""

Doubt = tuple[Reason, str]


def by_hand(record: Record) -> Doubt | None:
    """Gradients that are changed in place by what nobody can compute, at a moment at which that may be a mistake.

    A clip written by hand is one where it stands behind the last backward of the window and behind `unscale_`.
    """
    ends = [update.backwards for update in record.updates]
    for one in record.rewritten:
        place = f"line {one.row}: gradients are changed by what cannot be computed"
        if one.scaled:
            return Reason.HAND, f"{place}, with the loss scale still in them"
        if not one.fresh:
            return Reason.HAND, f"{place}, when no backward has filled them"
        end = min((number for number in ends if number >= one.backwards), default=one.backwards)
        if end > one.backwards:
            return Reason.HAND, f"{place}, before the last backward of the window"
    return None


def muddled(record: Record) -> Doubt | None:
    """Why what was measured means nothing, whatever it shows."""
    if record.reused:
        text = f"line {record.reused}: the backward goes through a forward that another one has gone through before"
        return Reason.SURROGATE, text
    for update in record.updates:
        if update.dependent:
            return Reason.NOT_SEPARABLE, f"line {update.row}: the gradients of the micro-batches depend on each other"
    return None


def unclear(record: Record, tolerance: float) -> Doubt | None:
    """Why a run in which no mistake shows is no confirmation either, or nothing."""
    doubted = doubt(record)
    if doubted:
        return Reason.NOT_SEPARABLE, doubted
    if record.error:
        return Reason.SURROGATE, f"line {record.error_row}: {record.error}"
    if record.untold:
        text = f"line {record.untold}: nothing in sight tells this sampler the epoch, and no run saw a second pass"
        return Reason.LOADER, text
    if record.regime == INF:
        return None
    changed = by_hand(record)
    if changed:
        return changed
    finders = (_unmeasured, _meaning, *_EARNED) if record.regime == LO else _EARNED
    return next((one for find in finders for one in find(record, tolerance)), None)


# ---------------------------------------------------------------------- what is meant


def _unmeasured(record: Record, tolerance: float) -> Iterator[Doubt]:
    windows = fold(record)
    if windows and not any(one.update.norm for one in windows):
        yield Reason.SURROGATE, "no gradient reaches the optimizer"


def _meaning(record: Record, tolerance: float) -> Iterator[Doubt]:
    """Whether several backwards of one update are to be averaged, and over how many, is what the source must say."""
    windows = fold(record)
    crossing = all(one.crosses for one in windows)  # a counter that goes on from epoch to epoch
    for one in windows:
        if one.turns < 2 or (one.crosses and not crossing):
            continue
        place = f"line {one.columns[0].row}"
        if record.vague and _whole(one):
            yield Reason.OPAQUE, f"{place}: nobody says that these are to be averaged"
        if record.divided_elsewhere and _whole(one):
            where = f"line {record.divided_elsewhere}"
            yield Reason.OPAQUE, f"{where}: the window divides something that may be in the loss"
        if any(not column.known for column in one.columns):
            yield Reason.OPAQUE, f"{place}: the loss's weight is not known"
        if not record.knob and _odd(one):
            yield Reason.OPAQUE, f"{place}: {one.turns} backwards are divided by what is no window's length"
        if not record.knob and _whole(one):
            yield Reason.OPAQUE, f"{place}: {one.turns} backwards are summed, and no number says of how many"


def _odd(window: Window) -> bool:
    """Whether a place of many batches is divided, and by how many there are neither at this place nor in all."""
    columns = window.record.columns
    places = [(n, {window.turns_at(columns[n].site), window.turns}) for n in window.consumed if columns[n].divisors]
    many = [(abs(window.weight(n)), turns) for n, turns in places if window.turns_at(columns[n].site) > 1]
    return any(all(abs(weight * one - 1) > CLOSE for one in turns) for weight, turns in many)


def _whole(window: Window) -> bool:
    """Whether a place of many batches is not divided at all."""
    every = ((number, window.turns_at(window.record.columns[number].site)) for number in window.consumed)
    return any(turns > 1 and abs(window.share(number) - 1) < CLOSE for number, turns in every)


# ---------------------------------------------------------------------- what must have been shown


def _rest(record: Record, tolerance: float) -> Iterator[Doubt]:
    """A gradient that no micro-batches make up; what a clip by value leaves is one, rightly."""
    worst = max((one.residual for one in record.updates if one.finite), default=0.0)
    if record.regime == LO and worst > tolerance and not any(clip.by_value for clip in record.clips):
        yield Reason.NOT_SEPARABLE, f"{worst:.1e} of a consumed gradient is no micro-batch's"


def _single(record: Record, tolerance: float) -> Iterator[Doubt]:
    if record.single:
        yield Reason.LOADER, f"line {record.single}: one batch stands in for what is looped over"


def _unfilled(record: Record, tolerance: float) -> Iterator[Doubt]:
    size = record.window
    if record.regime != LO or not record.knob or record.vague or not size or size < 2:
        return  # what is counted to an unknown number may be anything
    if not record.guarded and not any(column.knobs for column in record.columns):
        return  # a number that is called like a window, and does nothing here
    windows = fold(record)
    if windows and not any(one.turns == size for one in windows):
        most = max(one.turns for one in windows)
        yield Reason.WINDOW, f"the source names a window of {size}, and no update had more than {most}"


def _passes(record: Record, tolerance: float) -> Iterator[Doubt]:
    if record.regime == TAIL and record.endless:
        yield Reason.LOADER, "where one pass over the data ends is out of sight, so what is left of it is not judged"


def _unspent(record: Record, tolerance: float) -> Iterator[Doubt]:
    if record.regime != LO:
        return
    spent = {record.columns[number].site for update in record.updates for number in update.weights}
    spent |= set(record.by_hand)
    for column in record.columns:
        if column.site not in spent:
            yield Reason.UNSPENT, f"line {column.row}: no update consumes this backward's gradients"
            return


def _waiting(record: Record, tolerance: float) -> Iterator[Doubt]:
    """A whole window behind the last update: where the next turn steps what this one leaves, the last is lost."""
    windows = fold(record)
    if record.regime != LO or not windows or record.by_hand:
        return
    last = max(number for one in windows for number in one.consumed)
    waiting = record.columns[last + 1 :]
    if len({(column.epoch, column.turn) for column in waiting}) >= max(1, windows[-1].turns):
        yield Reason.UNSPENT, f"line {waiting[0].row}: no update consumes what the last backwards leave"


def _left_over(record: Record, tolerance: float) -> Iterator[Doubt]:
    for window in leftovers(record):
        row = min(record.columns[number].row for number in window.foreign)
        text = f"an update consumes the backward of line {row}, which another optimizer spends"
        yield Reason.UNEXPLAINED, f"line {window.update.row}: {text}"


def _other_weights(record: Record, tolerance: float) -> Iterator[Doubt]:
    """The gradient that was consumed is not the one that was meant, though no rule says so."""
    for window in fold(record) if record.regime != HI else ():
        update = window.update
        by_value = any(clip.by_value for clip in update.clips)
        if update.finite and update.reference_error > max(EXACT, tolerance) and not by_value:
            text = f"line {update.row}: update {window.place + 1} of `{update.optimizer}` consumed something else"
            yield Reason.UNEXPLAINED, f"{text} than it is meant to, by {update.reference_error:.2g} of it"


def _other_norms(record: Record, tolerance: float) -> Iterator[Doubt]:
    """Where every clip acts, what is consumed is as long as the limit."""
    if record.regime != HI:
        return
    for window, clips in too_long(record):
        text = f"line {window.update.row}: a gradient of norm {window.update.norm:.3g} was consumed"
        yield Reason.UNEXPLAINED, f"{text} under a limit of {highest(clips):g}"
    for together in _together(record):
        limit = _shrunk(together)
        if limit:
            norm = math.hypot(*(update.norm for update in together))
            text = f"line {together[0].row}: a gradient of norm {norm:.3g} was consumed"
            yield Reason.UNEXPLAINED, f"{text} where the clip leaves {limit:g}"


def _together(record: Record) -> list[list[Update]]:
    """The updates between two backwards: one clip may have been for all of them."""
    found: dict[int, list[Update]] = {}
    for window in fold(record):
        found.setdefault(window.update.backwards, []).append(window.update)
    every = {update.optimizer for update in record.updates}
    return [updates for updates in found.values() if {update.optimizer for update in updates} == every]


def _shrunk(updates: list[Update]) -> float:
    """The limit that a clip leaves, where what was consumed is far shorter."""
    clips = [
        clip
        for update in updates
        for clip in update.clips
        if math.isfinite(clip.limit) and clip.fresh and not clip.by_value
    ]
    finite = all(update.finite for update in updates)
    limit = highest(clips) if clips and finite else 0.0
    return limit if math.hypot(*(update.norm for update in updates)) * FAR < limit else 0.0


_EARNED = (_rest, _single, _passes, _unfilled, _unspent, _waiting, _left_over, _other_weights, _other_norms)
