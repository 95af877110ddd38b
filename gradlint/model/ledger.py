"""The ledger: what every optimizer update really consumed.

    optimizer `opt`, window of 4            g1   g2   g3   g4   | scale  clip   all-reduce  scheduler
      update 1   as executed                1    1    1    1    | 65536  late   4           4
                 as meant                   1/4  1/4  1/4  1/4  | 1      1.0    1           1

A ledger belongs to one optimizer. It has one `Row` for each optimizer step. A row lists the
weight with which each micro-batch's gradient was consumed, at which loss scale, whether the
consumed gradient was clipped, how many gradient all-reduces were spent on it, and how far the
learning-rate schedulers moved since the update before.

The dry run fills ledgers by symbolic execution and the wet run by measurement. This module is
the only one the two machines share, so it knows nothing of either.
"""

from __future__ import annotations

from enum import Enum
from fractions import Fraction

from gradlint.model.record import dataclass


class Field(Enum):
    """What can be told of an update, or of the way to it; in words that follow `changes`."""

    WINDOW = "which micro-batches an update uses"
    WEIGHT = "their weights"
    OLD = "which spent gradients are used again"
    OTHERS = "which gradients of other losses are used"
    SCALE = "the loss scale"
    CLIP = "what is clipped"
    SYNC = "what is synchronised"
    SCHEDULE = "the schedule"
    WRITES = "gradients rewritten by hand"
    READS = "what is read of gradients"
    MODE = "the mode a forward runs in"
    EVALUATED = "the mode an evaluation runs in"
    EPOCHS = "what samplers are told"
    FORWARD = "the forward passes"
    BACKWARD = "the backward passes"
    AVERAGE = "the moving averages"
    KEPT = "the losses that are kept"
    FAULT = "what PyTorch refuses"


class Clip(Enum):
    """How the gradient that an update consumed had been clipped."""

    NONE = "-"
    RIGHT = "clipped"
    LATE = "late"
    EARLY = "early"
    EACH = "each"
    SCALED = "scaled"
    EMPTY = "empty"
    UNKNOWN = "?"


@dataclass(frozen=True, slots=True)
class Weight:
    """The factor on one micro-batch's gradient: exact when `value` is known, else `None`.

    `label` names the micro-batch (`g1`); `extra` marks a gradient that belongs to an earlier
    update or epoch and should not be in this row at all.
    """

    label: str
    value: Fraction | None
    extra: bool = False

    def text(self) -> str:
        """`1`, `1/4`, or `?` when the factor could not be computed."""
        return "?" if self.value is None else str(self.value)


@dataclass(frozen=True, slots=True)
class Row:
    """One optimizer update.

    `scaled` is true when the consumed gradient still carried the loss scale; `all_reduces`
    is `None` where no distributed wrapper is in sight; `scheduler_moves` likewise.
    """

    update: int
    weights: tuple[Weight, ...]
    scaled: bool = False
    clip: Clip = Clip.NONE
    all_reduces: int | None = None
    scheduler_moves: int | None = None


@dataclass(frozen=True, slots=True)
class Ledger:
    """All updates of one optimizer; `windows` are the numbers of micro-batches that its steps mean to take."""

    optimizer: str
    windows: tuple[int, ...]
    rows: tuple[Row, ...] = ()
