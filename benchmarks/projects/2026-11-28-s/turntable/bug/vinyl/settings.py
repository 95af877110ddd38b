from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    seed: int = 80
    records: int = 96
    batch: int = 8
    window: int = 5
    sides: int = 3
    lr: float = 4e-3
