"""Roles: what an object is to the books."""

from __future__ import annotations

from enum import Enum

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
    LIGHTNING = "lightning module"
    FOREIGN = "another library's"
