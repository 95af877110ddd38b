from dataclasses import dataclass

import yaml


@dataclass(frozen=True)
class Config:
    amp: bool
    precision: str
    device: str
    timesteps: int
    batch_size: int
    accum: int
    updates: int
    preview_every: int
    lr: float

    @staticmethod
    def load(path):
        with open(path) as f:
            return Config(**yaml.safe_load(f))
