from dataclasses import dataclass, field


@dataclass
class OptimSettings:
    lr: float = 0.1
    momentum: float = 0.9
    accum: int = 4


@dataclass
class Settings:
    loss: str = "dice_bce"
    epochs: int = 2
    batch: int = 8
    samples: int = 80
    optim: OptimSettings = field(default_factory=OptimSettings)
