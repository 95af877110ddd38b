import torch
from torch import nn


def tower(width, depth=2):
    layers = []
    size = 12
    for _ in range(depth):
        layers += [nn.Linear(size, width), nn.ReLU()]
        size = width
    return nn.Sequential(*layers, nn.Linear(size, 5))


def frozen(net):
    return net.eval().requires_grad_(False)


def stream(n, size):
    for _ in range(n):
        x = torch.randn(size, 12)
        yield x, x[:, :5].argmax(1)
