from dataclasses import dataclass, field


@dataclass
class DataConfig:
    vocab_size: int = 50
    seq_len: int = 16
    examples: int = 80
    batch_size: int = 4


@dataclass
class OptimConfig:
    lr: float = 3e-3
    accumulation: int = 4
    warmup_updates: int = 3
    max_grad_norm: float = 1.0

    @property
    def loss_weight(self):
        return 1.0 / self.accumulation


@dataclass
class Config:
    epochs: int = 2
    seed: int = 11
    data: DataConfig = field(default_factory=DataConfig)
    optim: OptimConfig = field(default_factory=OptimConfig)
