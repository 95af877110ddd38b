import argparse
from dataclasses import replace

import torch

from .config import TrainConfig
from .data import make_loaders
from .model import KeywordNet
from .trainer import Trainer


def main(argv: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="kws")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--seed", type=int, default=7)
    args = parser.parse_args(argv)
    torch.manual_seed(args.seed)
    cfg = replace(TrainConfig(), epochs=args.epochs)
    train, dev = make_loaders(cfg.audio, cfg.batch_size)
    Trainer(KeywordNet(cfg.audio), cfg).fit(train, dev)


if __name__ == "__main__":
    main()
