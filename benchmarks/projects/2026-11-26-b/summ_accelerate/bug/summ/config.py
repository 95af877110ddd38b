from dataclasses import dataclass

__all__ = ["RunConfig"]


@dataclass
class RunConfig:
    seed: int = 1
    vocab: int = 40
    width: int = 32
    length: int = 12
    batch_size: int = 4
    accumulate: int = 4
    epochs: int = 2
    lr: float = 5e-3
    max_norm: float = 1.0
