import torch
from torch import nn


def batches(n: int, size: int, seed: int):
    g = torch.Generator().manual_seed(seed)
    x = torch.randn(n, 4, generator=g)
    y = (x[:, :1] * x[:, 1:2]).tanh() * 3 + x[:, 2:3]
    return list(zip(x.split(size), y.split(size)))


def small_net() -> nn.Module:
    return nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 1))


def deep_net(width: int = 24, depth: int = 3) -> nn.Module:
    layers = [nn.Linear(4, width)]
    for _ in range(depth):
        layers += [nn.BatchNorm1d(width), nn.ReLU(), nn.Dropout(0.05), nn.Linear(width, width)]
    return nn.Sequential(*layers, nn.ReLU(), nn.Linear(width, 1))
