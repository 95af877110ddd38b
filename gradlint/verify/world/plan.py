"""What one run is asked to do: the regime, the sizes, and the answers to what nobody knows."""

from __future__ import annotations

from dataclasses import dataclass, field

from gradlint.verify.record import LO

BATCH = 12
"""Samples in a batch: divisible by 2, 3, 4 and 6, so that slices of it are even."""


@dataclass(frozen=True)
class Plan:
    """One configuration in one regime.

    `pool` lets every forward reach every model: for loops whose optimizer was given its parameters out of sight.

    `shims` leaves libraries out that are installed, for tests.

    `forced` are guards, by their place, that go one way whatever they compute: to look behind them.

    `window` is the number of micro-batches the source names, if it names one; `boost` multiplies every raw loss;
    `supply` is 0 when the source has the loops, 1 when the epoch loop is missing and 2 when the batch loop is too.
    """

    regime: str = LO
    window: int | None = None
    answers: dict[str, bool] = field(default_factory=dict)
    boost: float = 1.0
    infinite_at: int | None = None
    epochs: int = 2
    supply: int = 0
    device: str = "cpu"
    dtype: str = ""
    seed: int = 0
    pool: bool = False
    rank: int = 0
    ranks: int = 1
    shims: bool = False
    forced: dict[tuple[int, int], bool] = field(default_factory=dict)

    @property
    def knob(self) -> int:
        """The window that a knob is turned to."""
        return self.window or 4

    @property
    def batches(self) -> int:
        """The length of the loader: two windows, and one micro-batch more where tails are looked at."""
        return 2 * (self.window or 2) + (1 if self.regime == "tail" else 0)
