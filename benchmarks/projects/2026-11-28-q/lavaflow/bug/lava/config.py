from dataclasses import dataclass

import torch
import yaml

DTYPES = {"bf16": torch.bfloat16, "fp16": torch.float16}


@dataclass
class Config:
    precision: str = "bf16"
    eruptions: int = 3
    probe_every: int = 4
    lr: float = 0.01
    seed: int = 6

    @classmethod
    def load(cls, path):
        with open(path) as file:
            return cls(**yaml.safe_load(file))

    @property
    def dtype(self):
        return DTYPES[self.precision]
