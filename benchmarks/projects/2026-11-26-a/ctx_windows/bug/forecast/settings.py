from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    epochs: int = 3
    batch: int = 8
    accumulate: int = 4
    lr: float = 5e-3
    samples: int = 112
