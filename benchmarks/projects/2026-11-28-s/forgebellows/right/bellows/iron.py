import torch
from torch import nn


class IronNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.hearth = nn.Sequential(nn.Linear(7, 21), nn.BatchNorm1d(21), nn.ReLU(), nn.Dropout(0.2))
        self.anvil = nn.Linear(21, 2)

    def forward(self, iron):
        return self.anvil(self.hearth(iron))


def ingots(count, seed):
    gen = torch.Generator().manual_seed(seed)
    irons = [torch.randn(20, 7, generator=gen) for _ in range(count)]
    return [(iron, iron[:, :2] - iron[:, 2:4]) for iron in irons]
