import torch
from torch import nn


def snail():
    return nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))


def pools(count, size=8):
    salt = torch.randn(count, 3)
    depth = salt.prod(1, keepdim=True)
    return [(salt[at : at + size], depth[at : at + size]) for at in range(0, count, size)]
