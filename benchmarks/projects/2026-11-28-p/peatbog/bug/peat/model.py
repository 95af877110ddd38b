import torch
from torch import nn


def bog_net():
    return nn.Sequential(nn.Linear(11, 22), nn.ReLU(), nn.Linear(22, 1))


def cores(count):
    generator = torch.Generator().manual_seed(31)
    out = []
    for _ in range(count):
        depth = torch.rand(9, 11, generator=generator)
        out.append((depth, depth.std(1, keepdim=True)))
    return out
