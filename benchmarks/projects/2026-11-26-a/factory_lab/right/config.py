from dataclasses import dataclass, field


@dataclass
class OptimConfig:
    name: str = "adamw"
    lr: float = 3e-3
    weight_decay: float = 0.01
    max_norm: float = 1.0
    warmup: float = 0.1


@dataclass
class Config:
    epochs: int = 2
    batch_size: int = 8
    accum_steps: int = 4
    distributed: bool = True
    port: int = 29572
    optim: OptimConfig = field(default_factory=OptimConfig)
