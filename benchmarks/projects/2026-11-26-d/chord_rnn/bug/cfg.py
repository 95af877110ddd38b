from dataclasses import dataclass


@dataclass(frozen=True)
class Cfg:
    dtype: str = "bfloat16"
    hidden: int = 20
    notes: int = 12
    lr: float = 0.01
    pieces: int = 3
    rounds: int = 10
    seed: int = 99
