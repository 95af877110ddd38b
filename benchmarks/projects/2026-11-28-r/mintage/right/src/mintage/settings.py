from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    features: int = 6
    width: int = 16
    rate: float = 0.02
    tolerance: float = 1.5
    strikes_per_update: int = 4
    shifts: int = 3
    seed: int = 1792
