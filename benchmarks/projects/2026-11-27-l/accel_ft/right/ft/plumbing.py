from dataclasses import dataclass

import yaml
from accelerate import Accelerator


@dataclass
class FtConfig:
    seed: int
    epochs: int
    batch_size: int
    accumulation: int
    lr: float
    max_norm: float
    vocab: int

    @classmethod
    def load(cls, path):
        with open(path) as handle:
            return cls(**yaml.safe_load(handle))


def make_accelerator(cfg):
    return Accelerator(cpu=True, gradient_accumulation_steps=cfg.accumulation)
