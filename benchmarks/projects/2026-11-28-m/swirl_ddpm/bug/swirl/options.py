from dataclasses import dataclass


@dataclass
class Options:
    epochs: int = 3
    batch: int = 64
    points: int = 512
    timesteps: int = 50
    width: int = 64
    lr: float = 2e-3
    precision: str = "bf16"
    ema: float = 0.99
