import torch
from torch import nn


class Tension(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 1))

    def forward(self, tide):
        return self.net(tide)


def log_book(batches):
    gen = torch.Generator().manual_seed(6)
    tides = [torch.randn(10, 4, generator=gen) for _ in range(batches)]
    return [(t, t.sum(1, keepdim=True)) for t in tides]
