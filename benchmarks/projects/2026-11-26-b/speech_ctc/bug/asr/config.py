from dataclasses import dataclass


@dataclass
class Config:
    seed: int = 7
    n_mels: int = 20
    hidden: int = 48
    vocab: int = 12
    batch_size: int = 4
    utterances: int = 40
    frames: int = 40
    window: int = 4
    lr: float = 2e-3
    max_norm: float = 5.0
    amp_dtype: str = "bfloat16"
    epochs: int = 3
