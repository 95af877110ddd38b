import json
from typing import NamedTuple


class Settings(NamedTuple):
    epochs: int
    batch_size: int
    grad_accum: int
    lr: float
    max_norm: float
    temperature: float
    dim: int
    vocab: int
    pairs: int


def read(path):
    with open(path) as fh:
        return Settings(**json.load(fh))
