from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import yaml


@dataclass(frozen=True)
class TrainConfig:
    epochs: int
    accum: int
    batch_size: int
    lr: float
    clip: float
    bands: int
    notes: int
    clips: int

    @classmethod
    def load(cls, path: str | Path) -> TrainConfig:
        return cls(**yaml.safe_load(Path(path).read_text()))
