"""Precision: what is known of scalers and of the switches of mixed precision."""

from __future__ import annotations

from dataclasses import field

from gradlint.interpret.values import Unknown
from gradlint.model.finding import Span
from gradlint.model.record import dataclass


@dataclass(slots=True)
class Precision:
    """Where scalers were made, by their keys, or by the objects until these have keys.

    `unsure` are scalers that may do nothing, `low` the switches of autocasts, `switches` those of scalers. What each
    scaler that was made hangs on stands in `under`: its own switch, or what was asked before it was made. An option has
    `chosen` bfloat16, and may choose float16; a flag did so `within` these switches. Apex's `delay_unscale` has `left`
    gradients scaled, for the next backward to go on with.
    """

    scalers: dict[int | str, Span] = field(default_factory=dict)
    unsure: set[str] = field(default_factory=set)
    low: set[str] = field(default_factory=set)
    switches: list[Unknown] = field(default_factory=list)
    under: list[frozenset[str]] = field(default_factory=list)
    within: frozenset[str] = frozenset()
    chosen: bool = False
    left: bool = False

    def ask(self, made: int, test: str) -> None:
        """A choice has made all scalers but the first few."""
        self.under[made:] = [one | {test} for one in self.under[made:]]
