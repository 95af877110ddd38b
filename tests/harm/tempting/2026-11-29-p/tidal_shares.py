"""Regression on tide gauges: later readings of a window count more than earlier ones."""
import math

import torch
from torch import nn
from torch.nn import functional as F

WINDOW = 4


def gauges(count):
    for _ in range(count):
        hours = torch.rand(12, 1) * 24
        level = torch.sin(hours * math.pi / 6.2) + 0.05 * torch.randn(12, 1)
        yield torch.cat([torch.sin(hours * math.pi / 6), torch.cos(hours * math.pi / 6), hours / 24], 1), level


def shares(window, halving=2.0):
    weights = torch.tensor([2.0 ** (k / halving) for k in range(window)])
    return (weights / weights.sum()).tolist()


def train(record):
    torch.manual_seed(3)
    net = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.8)
    share = shares(WINDOW)
    optimizer.zero_grad()
    for number, (x, y) in enumerate(gauges(40)):
        place = number % WINDOW
        loss = F.mse_loss(net(x), y)
        (share[place] * loss).backward()
        if place == WINDOW - 1:
            optimizer.step()
            record(list(net.parameters()))
            optimizer.zero_grad()


if __name__ == "__main__":
    train(lambda parameters: None)
