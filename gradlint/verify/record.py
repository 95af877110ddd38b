"""What one run showed: plain data, no torch. The recorder fills it, the oracle reads it."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field
from typing import Any

LO, HI, INF, TAIL = "lo", "hi", "inf", "tail"
UNEVEN = "the source keeps data out that no whole windows make up"
"""Why a run of ragged ends says nothing: there are none."""


@dataclass
class Column:
    """One backward: the unit in which gradients are counted.

    `divisors` are the whole numbers its loss was divided by in the source; `turn` is the batch it belongs to and
    `epoch` the pass over the loader; `known` is false when something unknown was multiplied in; `knobs` counts how
    often the window divided it, `library` is what a library divides by.
    """

    row: int
    turn: int
    epoch: int
    site: str = ""
    divisors: tuple[float, ...] = ()
    known: bool = True
    knob: bool = False
    knobs: int = 0
    library: float = 1.0
    scaled: bool = False
    autocast: bool = False
    dtype: str = ""
    training: bool = True
    synced: int = 0
    in_no_sync: bool = False
    forward_in_no_sync: bool = False


@dataclass
class Clip:
    """One call that clips: what limit, and the norm of what it found; `spent` if a step had already consumed that.

    `sure` is false when nobody knows whose gradients it was given.
    """

    row: int
    limit: float
    norm: float
    parameters: int
    spent: bool
    by_value: bool = False
    fresh: int = 0
    sure: bool = True


@dataclass
class Rewritten:
    """Gradients changed in place by what nobody can compute: how many backwards of the window they had in them.

    `scaled` says that the loss scale was still in them; `backwards` counts all of the run so far.
    """

    row: int
    fresh: int
    backwards: int
    scaled: bool = False


@dataclass
class Update:
    """One optimizer step as measured: `weights` are the factors of all columns so far, by least squares.

    `dependent` says that they are not unique.
    """

    optimizer: str
    row: int
    backwards: int
    weights: dict[int, float] = field(default_factory=dict)
    feeds: tuple[int, ...] = ()
    norm: float = 0.0
    finite: bool = True
    residual: float = 0.0
    dependent: bool = False
    clips: tuple[Clip, ...] = ()
    all_reduces: int = 0
    scheduler_moves: int = 0
    live_losses: int = 0
    scale: float = 1.0
    wiped: bool = False
    reference_norm: float = 0.0
    reference_error: float = 0.0
    peak: float = 0.0


@dataclass
class Record:
    """One run of a loop in one configuration and regime.

    `moves` are the scheduler's: which one, and after how many updates of its optimizer. `calls` are the places of all
    calls it came to, `functions` the rows of the functions it entered. `single` is the line of a loop over something
    out of sight, which had one item; `measured` says that the source asks for a loader's length, `guarded` that a
    guard around a step counts to the window, `frozen` that a call out of sight may freeze parameters. `reused` is the
    line of a backward through a forward that another one has gone through. `assumed` are the optimizers whose
    parameters nobody saw, `by_hand` the places of backwards that a step written by hand has spent. `untold` is the
    line of a sampler that nothing tells the epoch, `ways` the places of guards with the ways they went, `yielded` says
    that batches come through an iterator of the file that may hold some back.
    """

    regime: str = LO
    columns: list[Column] = field(default_factory=list)
    updates: list[Update] = field(default_factory=list)
    clips: list[Clip] = field(default_factory=list)
    error: str = ""
    error_row: int = 0
    error_kind: str = ""
    reason: str = ""
    detail: str = ""
    window: int | None = None
    knob: bool = False
    distributed: bool = False
    backwards: int = 0
    moves: list[tuple[str, int]] = field(default_factory=list)
    scheduler_moves: int = 0
    moves_before_first_update: int = 0
    uncalled: list[tuple[int, str]] = field(default_factory=list)
    orders: list[tuple[int, ...]] = field(default_factory=list)
    shuffled: bool = False
    skipped_steps: int = 0
    guessed: bool = False
    uncleared: str = ""
    passed_clear: bool = False
    loose: bool = False
    divided_elsewhere: int = 0
    vague: bool = False
    unseen: bool = False
    handed: bool = False
    sync_guessed: bool = False
    sharded: bool = False
    own_scaler: bool = False
    cached: bool = False
    precision_guessed: bool = False
    passes: int = 0
    asked: dict[str, bool] = field(default_factory=dict)
    asked_of_data: dict[str, bool] = field(default_factory=dict)
    bindings: dict[str, tuple[str, str]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    wrapper: str = ""
    loop_depth: int = 0
    scale: float = 1.0
    eval_forwards: int = 0
    train_forwards: int = 0
    ranks_disagree: float | None = None
    calls: list[tuple[int, int]] = field(default_factory=list)
    functions: list[int] = field(default_factory=list)
    single: int = 0
    untold: int = 0
    yielded: bool = False
    ways: list[tuple[int, int, bool]] = field(default_factory=list)
    rewritten: list[Rewritten] = field(default_factory=list)
    measured: bool = False
    guarded: bool = False
    frozen: bool = False
    reused: int = 0
    assumed: list[str] = field(default_factory=list)
    by_hand: list[str] = field(default_factory=list)

    @property
    def endless(self) -> bool:
        """Whether several passes over the data look like one: batches are taken by hand, as many as a loader has."""
        turns = len({column.turn for column in self.columns})
        one = len({column.epoch for column in self.columns}) == 1
        return bool(self.window) and self.measured and not self.passes and one and turns > 2 * (self.window or 1) + 1

    def same(self, other: Record) -> bool:
        """Whether two runs under one seed are one: equal but for the last bits of floating point."""
        if self.error != other.error or self.columns != other.columns or len(self.updates) != len(other.updates):
            return False
        return all(_alike(one, two) for one, two in zip(self.updates, other.updates, strict=True))

    def plain(self) -> dict[str, Any]:
        """As dictionaries and lists, for the way between processes."""
        return asdict(self)

    @staticmethod
    def from_plain(data: dict[str, Any]) -> Record:
        """The other way round."""
        record = Record(**{k: v for k, v in data.items() if k not in _ROWS})
        record.columns = [Column(**{**one, "divisors": tuple(one["divisors"])}) for one in data["columns"]]
        record.clips = [Clip(**one) for one in data["clips"]]
        record.updates = [_update(one) for one in data["updates"]]
        record.uncalled = [(int(row), str(text)) for row, text in data["uncalled"]]
        record.moves = [(str(name), int(place)) for name, place in data["moves"]]
        record.ways = [(int(row), int(column), bool(way)) for row, column, way in data["ways"]]
        record.rewritten = [Rewritten(**one) for one in data["rewritten"]]
        record.orders = [tuple(order) for order in data["orders"]]
        record.calls = [(int(row), int(column)) for row, column in data["calls"]]
        record.bindings = {name: (str(one[0]), str(one[1])) for name, one in data["bindings"].items()}
        return record


_ROWS = ("columns", "updates", "clips", "rewritten")


def _alike(one: Update, two: Update) -> bool:
    if one.weights.keys() != two.weights.keys() or one.finite != two.finite or one.feeds != two.feeds:
        return False
    pairs = [(one.weights[key], two.weights[key]) for key in one.weights]
    pairs += [(one.norm, two.norm)] if one.finite else []
    return all(math.isclose(left, right, rel_tol=1e-4, abs_tol=1e-7) for left, right in pairs)


def _update(data: dict[str, Any]) -> Update:
    clips = tuple(Clip(**one) for one in data["clips"])
    weights = {int(key): float(value) for key, value in data["weights"].items()}
    return Update(**{**data, "clips": clips, "weights": weights, "feeds": tuple(data["feeds"])})
