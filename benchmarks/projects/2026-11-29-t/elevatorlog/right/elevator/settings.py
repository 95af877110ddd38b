from dataclasses import dataclass

import yaml


@dataclass
class Settings:
    cabins: int
    epochs: int
    accumulate: int
    lr: float


def read(path):
    with open(path) as f:
        return Settings(**yaml.safe_load(f))
