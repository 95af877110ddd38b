from dataclasses import dataclass, field


@dataclass
class GPTConfig:
    vocab: int = 27
    block: int = 8
    dim: int = 24
    heads: int = 2
    layers: int = 1


@dataclass
class TrainConfig:
    model: GPTConfig = field(default_factory=GPTConfig)
    lr: float = 3e-3
    micro_batch: int = 16
    grad_accum: int = 4
    updates: int = 12
    warmup: int = 3
    max_norm: float = 1.0
    seed: int = 1337
