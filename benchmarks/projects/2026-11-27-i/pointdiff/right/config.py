from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True)
class Schedule:
    steps: int = 50
    beta_start: float = 1e-4
    beta_end: float = 0.05


@dataclass(frozen=True)
class Config:
    amp: Literal["bf16", "fp16"] = "bf16"
    lr: float = 2e-3
    iters: int = 60
    batch: int = 64
    max_norm: float = 0.3
    schedule: Schedule = field(default_factory=Schedule)
