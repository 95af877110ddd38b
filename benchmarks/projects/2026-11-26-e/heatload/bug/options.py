import json
from dataclasses import dataclass


@dataclass(frozen=True)
class Options:
    window: int
    hidden: int
    batch_size: int
    accumulate: int
    epochs: int
    optimizer: str
    max_lr: float
    schedule_on: str = "update"

    @classmethod
    def read(cls, path):
        with open(path) as f:
            return cls(**json.load(f))
