from dataclasses import dataclass


@dataclass
class Settings:
    epochs: int = 2
    batches: int = 10
    window: int = 4
    lr: float = 3e-3
    limit: float = 1.0
    ridge: float = 0.01
    seed: int = 5
