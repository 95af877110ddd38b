"""A record as windows: for each update, which micro-batches it should have consumed and which it did.

columns   0  1  2  3 | 4  5  6  7 |          feeds of update 1: 4 5 6 7
update 1  .  .  .  .   1/4 1/4 1/4 1/4       stale: none, lost: none, turns: 4
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from gradlint.verify.record import Column, Record, Update

SMALL = 1e-9


@dataclass
class Window:
    """One update of one optimizer. `feeds` are the columns since its last step that are meant for it.

    A backward that reaches an optimizer's parameters but never any of its updates (a generator's loss goes through
    the discriminator) is not meant for it, nor is one that another optimizer has spent before this one's own backward
    came (see `meant_places`): `feeds` keeps only columns from the places that are.
    """

    number: int
    update: Update
    record: Record
    feeds: tuple[int, ...]
    first: int
    place: int
    crosses: bool
    closes_epoch: bool
    window: int | None
    meant_for: frozenset[str] = frozenset()

    @property
    def columns(self) -> list[Column]:
        """The columns that feed this update."""
        return [self.record.columns[number] for number in self.feeds]

    @property
    def turns(self) -> int:
        """How many batches the window has."""
        return len({column.turn for column in self.columns})

    @property
    def consumed(self) -> tuple[int, ...]:
        """Feeding columns with weight."""
        return tuple(number for number in self.feeds if self.weight(number))

    @property
    def lost(self) -> tuple[int, ...]:
        """Feeding columns of the last epoch without weight, beside others that have some."""
        last = max((column.epoch for column in self.columns), default=0)
        return tuple(n for n in self.feeds if not self.weight(n) and self.record.columns[n].epoch == last)

    @property
    def stale(self) -> tuple[int, ...]:
        """Consumed columns that belong to an earlier window."""
        return tuple(number for number in self.update.weights if number < self.first)

    @property
    def foreign(self) -> tuple[int, ...]:
        """Consumed columns of this window that are another optimizer's: nothing cleared what its backward left."""
        columns = self.record.columns
        return tuple(n for n in self.update.weights if n >= self.first and columns[n].site not in self.meant_for)

    def weight(self, number: int) -> float:
        """The measured weight of a column."""
        return self.update.weights.get(number, 0.0)

    def turns_at(self, site: str) -> int:
        """How many batches one place contributed."""
        return len({column.turn for column in self.columns if column.site == site})

    def share(self, number: int) -> float:
        """A column's weight, without the constants of the objective; to divide by the window twice is a mistake."""
        column = self.record.columns[number]
        weight = self.weight(number)
        divisors = list(column.divisors)
        wanted = [size for size in (self.record.window, self.turns) if size and float(size) in divisors]
        if wanted:
            for _ in range(_times(column, divisors, wanted)):
                divisors.remove(float(wanted[0]))
            weight *= math.prod(divisors)
        return weight

    def meant(self) -> dict[int, float]:
        """The weights that the mean of the window has, constants of the objective included.

        What is left of an earlier pass over the data and was thrown away before this one is not meant.
        """
        weights = {}
        epoch = max((column.epoch for column in self.columns), default=0)
        kept = [number for number in self.feeds if self.weight(number) or self.record.columns[number].epoch == epoch]
        turns_kept = len({self.record.columns[number].turn for number in kept})
        for number in kept:
            column = self.record.columns[number]
            share = self.share(number)
            turns = turns_kept
            at_site = self.turns_at(column.site)
            if at_site == 1 and turns > 1 and abs(share - 1) < 1e-3:
                turns = 1
            if turns == 1 or not column.known or not self.record.knob:
                product = math.prod(column.divisors) or 1.0
                weights[number] = 1 / product if column.known else (self.weight(number) or 1.0)
                continue
            others = list(column.divisors)
            wanted = [size for size in (self.record.window, turns) if size and float(size) in others]
            for _ in range(_times(column, others, wanted)):
                others.remove(float(wanted[0]))
            size = self.record.window if self.short and wanted else turns
            weights[number] = 1 / (size or turns) / (math.prod(others) if wanted else 1.0)
        return weights

    @property
    def short(self) -> bool:
        """Whether this is the ragged last window of an epoch."""
        return self.closes_epoch and self.record.window is not None and self.turns < self.record.window


def _times(column: Column, divisors: list[float], wanted: list[int]) -> int:
    """How many of the divisors are the window's: what the window was not named for belongs to the objective."""
    return min(max(column.knobs, 1), divisors.count(float(wanted[0]))) if wanted else 0


def meant_places(record: Record) -> dict[str, set[str]]:
    """Of each optimizer, the places whose backwards are meant for it.

        backward d   step D   backward g   step G   backward d   step D       D is meant to spend d; what it finds of
                                   └── reaches D's parameters, too ──► ?      g was left by somebody else's backward

    Not meant is a place of whose backwards an optimizer consumes only such as another one spends, too, and that are
    left over: from before that one's step and a later backward of its own, or from an earlier batch than its own. What
    two optimizers spend of one batch, one after the other, is meant for both.
    """
    places: dict[str, set[str]] = {}
    consumed: dict[str, set[str]] = {}
    for update in record.updates:
        for column in update.weights:
            site = record.columns[column].site
            consumed.setdefault(update.optimizer, set()).add(site)
            if not _left_over(record, update, column):
                places.setdefault(update.optimizer, set()).add(site)
    return {name: places.get(name) or sites for name, sites in consumed.items()}


def _left_over(record: Record, update: Update, column: int) -> bool:
    """Whether what an update consumes of a backward is what another optimizer's window has left behind."""
    last = max(update.feeds, default=column)
    others = [one for one in record.updates if one.optimizer != update.optimizer and column in one.weights]
    earlier = record.columns[column].turn < record.columns[last].turn
    return any(earlier or column < one.backwards <= last for one in others)


def fold(record: Record) -> list[Window]:
    """The windows of a record, in the order of its updates."""
    sites = meant_places(record)
    since: dict[str, int] = {}
    places: dict[str, int] = {}
    windows = []
    for number, update in enumerate(record.updates):
        first = since.get(update.optimizer, 0)
        meant = sites.get(update.optimizer, set())
        feeds = tuple(n for n in update.feeds if not meant or record.columns[n].site in meant)
        epochs = {record.columns[n].epoch for n in feeds}
        place = places.get(update.optimizer, 0)
        windows.append(
            Window(
                number,
                update,
                record,
                feeds,
                first,
                place,
                len(epochs) > 1,
                _closes(record, update, feeds),
                record.window,
                frozenset(meant),
            )
        )
        since[update.optimizer] = update.backwards
        places[update.optimizer] = place + 1
    return windows


def _closes(record: Record, update: Update, feeds: tuple[int, ...]) -> bool:
    """Whether no column of the same pass over the data follows."""
    if not feeds:
        return False
    epoch = record.columns[feeds[-1]].epoch
    later = [column for column in record.columns[update.backwards :] if column.site == record.columns[feeds[-1]].site]
    return not later or later[0].epoch != epoch
