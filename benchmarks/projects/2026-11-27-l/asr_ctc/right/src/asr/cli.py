import argparse
import logging
from pathlib import Path

import torch

from .config import load
from .model import Acoustic, utterances
from .trainer import Trainer


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--config", type=Path, default=Path("conf/base.yaml"))
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    torch.manual_seed(21)
    cfg = load(args.config)
    Trainer(cfg, Acoustic(), utterances(130, cfg.batch_size)).fit()


if __name__ == "__main__":
    main()
