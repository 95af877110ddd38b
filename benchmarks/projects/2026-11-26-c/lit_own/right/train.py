import argparse

import torch

from core.trainer import Trainer
from data import loaders
from tasks.classifier import Classifier


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--max-epochs", type=int, default=3)
    parser.add_argument("--batch-size", type=int, default=16)
    parser.add_argument("--lr", type=float, default=0.05)
    parser.add_argument("--clip", type=float, default=1.0)
    args = parser.parse_args()
    torch.manual_seed(1)
    train, val = loaders(args.batch_size)
    Trainer(max_epochs=args.max_epochs).fit(Classifier(lr=args.lr, clip=args.clip), train, val)


if __name__ == "__main__":
    main()
