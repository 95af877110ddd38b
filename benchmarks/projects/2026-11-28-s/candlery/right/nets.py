import torch
from torch import nn


class Mould(nn.Module):
    def __init__(self):
        super().__init__()
        self.cast = nn.Linear(4, 12)
        self.drop = nn.Dropout(0.1)

    def forward(self, tallow):
        return self.drop(torch.relu(self.cast(tallow)))


class Wick(nn.Module):
    def __init__(self):
        super().__init__()
        self.braid = nn.Linear(12, 1)

    def forward(self, cast):
        return self.braid(cast)


def pours(count, seed):
    gen = torch.Generator().manual_seed(seed)
    made = []
    for _ in range(count):
        tallow = torch.rand(10, 4, generator=gen)
        made.append((tallow, tallow.sum(1, keepdim=True) * 3))
    return made
