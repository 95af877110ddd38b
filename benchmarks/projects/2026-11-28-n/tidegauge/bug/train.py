import argparse

import torch
from torch import nn

from data import gauge_loader, restart
from engine import run_epoch
from utils.dist import connect, disconnect, replicate


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--accum", type=int, default=4)
    parser.add_argument("--lr", type=float, default=0.02)
    return parser.parse_args()


def main():
    args = parse()
    torch.manual_seed(0)
    connect()
    loader = gauge_loader(samples=88, batch_size=8)
    model = replicate(nn.Sequential(nn.Linear(12, 24), nn.Tanh(), nn.Linear(24, 1)))
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9)
    restart(loader, 0)
    for epoch in range(args.epochs):
        mean = run_epoch(model, loader, optimizer, args.accum)
        print(f"epoch {epoch}: {float(mean):.4f}")
    disconnect()


if __name__ == "__main__":
    main()
