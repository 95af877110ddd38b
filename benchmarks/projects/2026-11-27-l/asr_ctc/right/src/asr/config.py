from dataclasses import dataclass, fields
from pathlib import Path

import yaml


@dataclass(frozen=True)
class AsrConfig:
    precision: str = "bf16"
    epochs: int = 3
    window: int = 4
    batch_size: int = 6
    lr: float = 2e-3


def load(path: Path) -> AsrConfig:
    raw = yaml.safe_load(path.read_text())
    known = {f.name for f in fields(AsrConfig)}
    return AsrConfig(**{k: v for k, v in raw.items() if k in known})
