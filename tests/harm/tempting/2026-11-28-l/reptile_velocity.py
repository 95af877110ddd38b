"""Reptile over sine tasks. The outer velocity lives in .grad, so that no second buffer is needed."""
import copy
import math

import torch
from torch import nn

DECAY = 0.6


def tasks(count):
    for _ in range(count):
        phase, height = torch.rand(1) * math.pi, 0.5 + torch.rand(1)
        x = torch.rand(24, 1) * 6 - 3
        yield x, height * torch.sin(x + phase)


def adapt(net, x, y, steps=4):
    fast = copy.deepcopy(net)
    inner = torch.optim.SGD(fast.parameters(), lr=0.05)
    for rows in torch.randperm(len(x)).chunk(steps):
        inner.zero_grad()
        nn.functional.mse_loss(fast(x[rows]), y[rows]).backward()
        inner.step()
    return fast


def train(record):
    torch.manual_seed(11)
    net = nn.Sequential(nn.Linear(1, 20), nn.Tanh(), nn.Linear(20, 1))
    outer = torch.optim.SGD(net.parameters(), lr=0.4)
    for p in net.parameters():
        p.grad = torch.zeros_like(p)
    for x, y in tasks(30):
        fast = adapt(net, x, y)
        with torch.no_grad():
            for p, q in zip(net.parameters(), fast.parameters()):
                p.grad.mul_(DECAY).add_(p - q)
        outer.step()
        record(list(net.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
