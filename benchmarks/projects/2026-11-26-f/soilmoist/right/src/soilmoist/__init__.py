"""Soil moisture from weather series."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    stations: int = 84
    days: int = 24
    batch_size: int = 7
    accum: int = 4
    epochs: int = 3
    lr: float = 5e-3
    delta: float = 0.5
    seed: int = 11
