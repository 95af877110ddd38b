import torch
from torch import nn


class FrondNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(5, 18), nn.ReLU(), nn.Linear(18, 1))

    def forward(self, sea):
        return self.layers(sea)


def ropes(count=8):
    generator = torch.Generator().manual_seed(24)
    out = []
    for _ in range(count):
        sea = torch.rand(12, 5, generator=generator)
        out.append((sea, sea[:, 2:3] * 2 + 1))
    return out
