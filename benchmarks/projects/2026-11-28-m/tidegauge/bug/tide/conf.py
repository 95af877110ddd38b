import dataclasses

import yaml


@dataclasses.dataclass(slots=True)
class Conf:
    epochs: int = 4
    accum: int = 4
    batch: int = 16
    lag: int = 24
    horizon: int = 6
    hidden: int = 32
    lr: float = 0.01


def load(path):
    with open(path) as fh:
        return Conf(**yaml.safe_load(fh))
