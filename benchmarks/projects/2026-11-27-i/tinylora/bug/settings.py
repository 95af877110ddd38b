from pathlib import Path
from typing import NamedTuple

import yaml


class Settings(NamedTuple):
    seed: int
    epochs: int
    lr: float
    max_norm: float
    grad_accum: int
    rank: int


def load(path="settings.yaml") -> Settings:
    return Settings(**yaml.safe_load(Path(path).read_text()))
