import argparse

import torch

from data import make_loader, reshuffle
from engine import run_epoch
from utils.dist import shutdown, start, wrap


def parse():
    parser = argparse.ArgumentParser("string tension from partials")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--first-epoch", type=int, default=0)
    parser.add_argument("--accum", type=int, default=4)
    parser.add_argument("--lr", type=float, default=0.05)
    return parser.parse_args()


def main():
    args = parse()
    torch.manual_seed(3)
    start()
    loader = make_loader(batch=8)
    net = torch.nn.Sequential(torch.nn.Linear(6, 16), torch.nn.Tanh(), torch.nn.Linear(16, 1))
    model = wrap(net)
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr)
    reshuffle(loader, args.first_epoch)
    for epoch in range(args.first_epoch, args.epochs):
        mean = run_epoch(model, loader, optimizer, args.accum)
        print(f"epoch {epoch} detuning {mean:.4f}")
    shutdown()


if __name__ == "__main__":
    main()
