"""Precision: what is known of scalers and of the switches of mixed precision."""

from __future__ import annotations

from dataclasses import dataclass, field

from gradlint.interpret.values import Unknown
from gradlint.model.finding import Span


@dataclass(slots=True)
class Precision:
    """Where scalers were made, by their keys, or by the objects until these have keys.

    `unsure` are scalers that may do nothing, `low` the switches of autocasts, `switches` those of scalers. An option
    has `chosen` bfloat16, and may choose float16. Apex's `delay_unscale` has `left` gradients scaled, for the next
    backward to go on with.
    """

    scalers: dict[int | str, Span] = field(default_factory=dict)
    unsure: set[str] = field(default_factory=set)
    low: set[str] = field(default_factory=set)
    switches: list[Unknown] = field(default_factory=list)
    chosen: bool = False
    left: bool = False
