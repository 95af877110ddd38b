import json
from dataclasses import dataclass


@dataclass
class Config:
    epochs: int = 1
    lr: float = 0.01
    smooth: float = 0.0
    max_norm: float = 1.0
    seed: int = 0

    @classmethod
    def read(cls, path):
        with open(path) as file:
            return cls(**json.load(file))
