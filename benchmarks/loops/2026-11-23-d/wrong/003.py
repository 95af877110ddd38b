import argparse

import torch
from torch import nn


def fake_batches(count, size):
    for _ in range(count):
        x = torch.rand(size, 6)
        yield x, x.sum(dim=1, keepdim=True).sin()


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--accum", type=int, default=4)
    p.add_argument("--epochs", type=int, default=2)
    p.add_argument("--lr", type=float, default=3e-3)
    p.add_argument("--batches", type=int, default=21)
    args = p.parse_args()

    model = nn.Sequential(nn.Linear(6, 24), nn.Tanh(), nn.Linear(24, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)

    for epoch in range(args.epochs):
        optimizer.zero_grad()
        for i, (x, y) in enumerate(fake_batches(args.batches, 10)):
            loss = nn.functional.mse_loss(model(x), y) / args.accum
            loss.backward()
            last = i == args.batches - 1
            if i % args.accum == 0 or last:
                optimizer.step()
                optimizer.zero_grad()
        print("epoch", epoch, "loss", loss.item() * args.accum)


if __name__ == "__main__":
    main()
