import argparse

import torch

from .base import TrainConfig
from .corpus import synthetic_utterances
from .ctc import CTCTrainer
from .encoder import FrameEncoder


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--seed", type=int, default=13)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    trainer = CTCTrainer(FrameEncoder(), TrainConfig(epochs=args.epochs))
    trainer.fit(synthetic_utterances(8), synthetic_utterances(3, seed=1))


if __name__ == "__main__":
    main()
