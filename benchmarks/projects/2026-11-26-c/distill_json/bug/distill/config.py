import json
from dataclasses import dataclass


@dataclass
class Config:
    seed: int = 0
    epochs: int = 1
    teacher_epochs: int = 1
    batch_size: int = 32
    micro_batches: int = 1
    lr: float = 1e-2
    max_norm: float = 1.0
    temperature: float = 2.0
    alpha: float = 0.5
    teacher_width: int = 64
    student_width: int = 16

    @classmethod
    def load(cls, path):
        with open(path) as f:
            return cls(**json.load(f))

    @property
    def micro_batch_size(self):
        return max(1, self.batch_size // self.micro_batches)

    def due(self, index, total):
        return (index + 1) % self.micro_batches == 0 or index + 1 == total
