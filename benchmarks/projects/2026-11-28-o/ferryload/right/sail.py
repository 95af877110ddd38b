import argparse

import torch

from ferry.deck import DeckNet, crossings
from ferry.trainer import FerryTrainer


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--accumulate", type=int, default=4)
    parser.add_argument("--epochs", type=int, default=3)
    args = parser.parse_args()
    torch.manual_seed(12)
    trainer = FerryTrainer(DeckNet(), crossings(12), args.accumulate, args.epochs)
    trainer.train()


if __name__ == "__main__":
    main()
