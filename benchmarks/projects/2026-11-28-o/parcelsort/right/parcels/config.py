from dataclasses import dataclass, field


@dataclass
class Precision:
    dtype: str = "bf16"
    device: str = "cpu"


@dataclass
class TrainerConfig:
    epochs: int = 2
    micro_batches: int = 4
    weight: float = 1.0
    lr: float = 0.1


@dataclass
class Config:
    precision: Precision = field(default_factory=Precision)
    trainer: TrainerConfig = field(default_factory=TrainerConfig)
    seed: int = 0


def override(cfg, arguments):
    for argument in arguments:
        path, text = argument.split("=", 1)
        group, key = path.split(".")
        part = getattr(cfg, group)
        setattr(part, key, type(getattr(part, key))(text))
    return cfg
