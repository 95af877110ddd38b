"""What several signs of mistakes are measured by."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from gradlint.verify.record import Clip, Record
from gradlint.verify.windows import Window, fold

CLOSE = 0.02


Finder = Callable[[Record], Iterator[tuple[int, str]]]


def near(value: float, wanted: float, tolerance: float = CLOSE) -> bool:
    """Equal within the tolerance, relative to what is wanted."""
    return abs(value - wanted) <= tolerance * abs(wanted)


def highest(clips: list[Clip]) -> float:
    """The largest limit of clips of the norm; 0 if there is none."""
    finite = [clip.limit for clip in clips if math.isfinite(clip.limit) and not clip.by_value]
    return max(finite, default=0.0)


def clips_of(record: Record, optimizer: str) -> list[Clip]:
    """The clips that act, of all updates of an optimizer."""
    mine = [clip for update in record.updates if update.optimizer == optimizer for clip in update.clips]
    return [clip for clip in mine if math.isfinite(clip.limit)]


def too_long(record: Record) -> Iterator[tuple[Window, list[Clip]]]:
    """Updates that consumed more than their clip allows."""
    for window in fold(record):
        clips = clips_of(record, window.update.optimizer)
        limit = highest(clips)
        places = len({clip.row for clip in clips})
        if limit and window.update.finite and window.update.norm > 1.5 * limit * math.sqrt(places or 1):
            yield window, clips


def full(window: Window) -> bool:
    """Whether the window is whole: neither a ragged tail nor a first one cut short."""
    size = window.record.window
    return size is None or window.turns == size


def sites(window: Window) -> Iterator[tuple[int, int, float]]:
    """(column, batches of its place, share) for the columns whose weight can be judged."""
    for number in window.consumed:
        column = window.record.columns[number]
        turns = window.turns_at(column.site)
        if column.known and turns > 1:
            yield number, turns, unscaled(window, number)


def unscaled(window: Window, number: int) -> float:
    """The share with a loss scale that was never removed taken out: that is another mistake."""
    share, scale = window.share(number), window.update.scale
    return (
        share / scale if scale > 1 and share * math.prod(window.record.columns[number].divisors) > scale / 4 else share
    )


def singles(record: Record) -> Iterator[Window]:
    """Updates of one micro-batch, of optimizers that take no more in any update."""
    windows = fold(record)
    several = {one.update.optimizer for one in windows if one.turns != 1 or len(one.consumed) != 1}
    for window in windows:
        if window.update.optimizer not in several and not window.closes_epoch and window.update.finite:
            yield window


def divided_alone(record: Record) -> int:
    """The line of a loss that the window divides though every update takes one micro-batch; 0 if there is none."""
    for window in singles(record):
        column, size = record.columns[window.consumed[0]], record.window or 1
        odd = size > 1 and record.knob and near(abs(unscaled(window, window.consumed[0])), 1 / size)
        if odd and column.knobs and float(size) in column.divisors:
            return column.row
    return 0


def leftovers(record: Record) -> list[Window]:
    """Updates that consume what another optimizer's backward left behind."""
    return [one for one in fold(record) if one.foreign and one.update.residual < CLOSE and not one.update.dependent]


LEFT_BEHIND = "left gradients that nothing clears before this optimizer's own"
"""What is said of gradients that another optimizer's backward has left: no rule of the linter looks for them."""


@dataclass(frozen=True)
class Sign:
    """One observation: the rule it stands for, the line, and what was measured."""

    rule: str
    row: int
    text: str


@dataclass(frozen=True)
class Observable:
    """How one rule's mistake shows; `regimes` are the runs it can be read from.

    `changes` are the numbers that a repair may change: whatever else changes with it was broken.
    """

    rule: str
    regimes: tuple[str, ...]
    measured: str
    right: str
    wrong: str
    find: Finder
    changes: frozenset[str] = frozenset()
