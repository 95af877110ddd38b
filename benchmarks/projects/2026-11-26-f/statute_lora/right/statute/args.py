import argparse
from dataclasses import dataclass


@dataclass
class LMConfig:
    vocab: int = 32
    width: int = 24
    context: int = 16
    rank: int = 4
    dropout: float = 0.1
    loss_divisor: int = 1


def parse(argv=None):
    parser = argparse.ArgumentParser("statute")
    parser.add_argument("--accum", type=int, default=4)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--lr", type=float, default=0.5)
    parser.add_argument("--max-grad-norm", type=float, default=0.5)
    parser.add_argument("--sample-every", type=int, default=2)
    return parser.parse_args(argv)


def lm_config(args):
    return LMConfig(loss_divisor=1)
