from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    seed: int = 3
    history: int = 24
    horizon: int = 6
    hidden: int = 32
    batch_size: int = 16
    batches_per_epoch: int = 20
    accumulate: int = 4
    epochs: int = 3
    eval_every: int = 8
    lr: float = 2e-3
    max_norm: float = 0.5
