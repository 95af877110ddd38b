"""Roles: what an object is to the books."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType

from gradlint.model.members import at_hand


@at_hand
class Role(Enum):
    """What an object is to the books."""

    OPTIMIZER = "optimizer"
    SCALER = "scaler"
    SCALER_CALLABLE = "scaler callable"
    MODEL = "model"
    SCHEDULER = "scheduler"
    LOADER = "loader"
    SAMPLER = "sampler"
    ACCELERATOR = "accelerator"
    FABRIC = "fabric"
    ENGINE = "engine"
    CRITERION = "criterion"
    EMA = "ema"
    STACK = "exit stack"
    METER = "meter"
    LIGHTNING = "lightning module"
    FOREIGN = "another library's"


NOTHING_UNCALLED: Mapping[Role, frozenset[str]] = MappingProxyType(
    {
        Role.OPTIMIZER: frozenset({"zero_grad", "step"}),
        Role.SCALER: frozenset({"update"}),
        Role.SCHEDULER: frozenset({"step"}),
        Role.MODEL: frozenset({"train", "eval", "zero_grad"}),
    }
)
"""Methods that mean nothing as a statement without parentheses."""

IDLE_METHODS = frozenset[str]().union(*NOTHING_UNCALLED.values())
"""Their names."""
