"""The schedule is asked for every micro-batch, and answers by windows."""
import math
from dataclasses import dataclass

import torch
from torch import nn
from torch.optim.lr_scheduler import LambdaLR


@dataclass
class Setup:
    epochs: int = 3
    window: int = 4
    lr: float = 0.2
    floor: float = 0.05


def batches(seed):
    g = torch.Generator().manual_seed(seed)
    for _ in range(16):
        x = torch.randn(8, 5, generator=g)
        yield x, (x[:, :1] * x[:, 1:2]).tanh()


def train(record):
    torch.manual_seed(0)
    setup = Setup()
    data = list(batches(1))
    updates = setup.epochs * len(data) // setup.window

    def factor(seen):
        done = min(seen // setup.window, updates)
        return setup.floor + (1 - setup.floor) * 0.5 * (1 + math.cos(math.pi * done / updates))

    net = nn.Sequential(nn.Linear(5, 12), nn.ReLU(), nn.Linear(12, 1))
    opt = torch.optim.SGD(net.parameters(), lr=setup.lr)
    sched = LambdaLR(opt, factor)
    for _ in range(setup.epochs):
        for i, (x, y) in enumerate(data):
            loss = nn.functional.mse_loss(net(x), y)
            (loss / setup.window).backward()
            if (i + 1) % setup.window == 0:
                opt.step()
                record(list(net.parameters()))
                opt.zero_grad()
            sched.step()


if __name__ == "__main__":
    train(lambda parameters: None)
