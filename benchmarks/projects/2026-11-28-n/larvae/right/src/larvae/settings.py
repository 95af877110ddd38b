from dataclasses import dataclass


@dataclass
class Settings:
    window: int = 4
    rounds: int = 3
    rate: float = 0.05
    limit: float = 1.0
    batches: int = 14
