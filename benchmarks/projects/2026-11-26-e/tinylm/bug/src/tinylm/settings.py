from dataclasses import dataclass
from pathlib import Path

import yaml


@dataclass
class ModelCfg:
    vocab: int
    dim: int
    heads: int


@dataclass
class DataCfg:
    block: int
    documents: int
    batch_size: int


@dataclass
class OptimCfg:
    name: str
    lr: float
    warmup: int


@dataclass
class TrainCfg:
    epochs: int
    accum: int
    micro_scale: float


@dataclass
class Settings:
    model: ModelCfg
    data: DataCfg
    optim: OptimCfg
    train: TrainCfg


def load(path):
    raw = yaml.safe_load(Path(path).read_text())
    return Settings(
        ModelCfg(**raw["model"]), DataCfg(**raw["data"]), OptimCfg(**raw["optim"]), TrainCfg(**raw["train"])
    )
