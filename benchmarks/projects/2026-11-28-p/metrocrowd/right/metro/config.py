from dataclasses import dataclass


@dataclass
class Config:
    seed: int = 4
    epochs: int = 4
    lr: float = 0.1
    decay: float = 0.7
    width: int = 18
    batch: int = 16
    max_norm: float = 0.25
    freeze_stem: bool = True
