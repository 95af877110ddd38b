import json
from dataclasses import dataclass
from pathlib import Path


@dataclass
class FinetuneConfig:
    vocab: int
    dim: int
    rank: int
    seq_len: int
    samples: int
    batch_size: int
    epochs: int
    gradient_accumulation_steps: int
    lr: float
    max_grad_norm: float

    @classmethod
    def from_json(cls, path: str) -> "FinetuneConfig":
        return cls(**json.loads(Path(path).read_text()))
