import argparse

import torch

import strategies  # noqa: F401  (fills the registry)
from engine import run
from registry import build
from ropes import Tension, log_book


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--strategy", default="half")
    ap.add_argument("--window", type=int, default=4)
    ap.add_argument("--epochs", type=int, default=2)
    args = ap.parse_args()
    torch.manual_seed(2)
    model = Tension()
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    strategy = build(args.strategy, model, optimizer, args.window)
    for epoch in range(args.epochs):
        print(epoch, round(run(strategy, log_book(11), args.window), 4))


if __name__ == "__main__":
    main()
