import argparse

import torch

from engine import inspect, ripen
from utils.data import wheels
from utils.dist import start, stop, wrap
from utils.nets import RindNet


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--weeks", type=int, default=3)
    parser.add_argument("--window", type=int, default=4)
    parser.add_argument("--lr", type=float, default=0.05)
    args = parser.parse_args()

    torch.manual_seed(3)
    start()
    cave = wrap(RindNet())
    optimizer = torch.optim.SGD(cave.parameters(), lr=args.lr)
    young, aged = wheels(80), wheels(24)
    for week in range(args.weeks):
        mean = ripen(cave, young, optimizer, args.window)
        print(f"week {week}: loss {mean:.4f}, held out {inspect(cave, aged):.4f}")
    stop()


if __name__ == "__main__":
    main()
