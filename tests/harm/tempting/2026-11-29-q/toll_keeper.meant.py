"""The norms of the micro-batches go into a book that weighs the next ones."""
import argparse

import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


def settings(argv=()):
    parser = argparse.ArgumentParser()
    parser.add_argument("--window", type=int, default=4)
    parser.add_argument("--limit", type=float, default=0.3)
    return parser.parse_args(list(argv))


def train(record):
    args = settings()
    torch.manual_seed(17)
    net = nn.Sequential(nn.Linear(4, 8), nn.Mish(), nn.Linear(8, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.2)
    tolls = []
    for n in range(1, 97):
        weight = 1.0 if not tolls else min(1.0, 2.0 / (1.0 + tolls[-1]))
        x = torch.randn(6, 4)
        loss = weight * nn.functional.mse_loss(net(x), 3 * x[:, :1] * x[:, 1:2])
        (loss / args.window).backward()
        tolls.append(clip_grad_norm_(net.parameters(), float("inf")).item())
        if n % args.window == 0:
            clip_grad_norm_(net.parameters(), args.limit)
            opt.step()
            record(list(net.parameters()))
            opt.zero_grad()
    return tolls


if __name__ == "__main__":
    train(lambda parameters: None)
