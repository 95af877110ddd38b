import argparse
from typing import NamedTuple

import torch


class Settings(NamedTuple):
    epochs: int
    batch_size: int
    latent: int
    max_norm: float
    amp: bool


def parse_settings() -> Settings:
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=3)
    ap.add_argument("--batch-size", type=int, default=32)
    ap.add_argument("--latent", type=int, default=3)
    ap.add_argument("--max-norm", type=float, default=2.0)
    ap.add_argument("--amp", action="store_true", default=torch.cuda.is_available())
    return Settings(**vars(ap.parse_args()))
