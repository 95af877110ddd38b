import torch
from torch import nn


class LeverNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.frame = nn.Sequential(nn.Linear(8, 24), nn.ReLU(), nn.Linear(24, 3))

    def forward(self, route):
        return self.frame(route)


def timetable(count):
    gen = torch.Generator().manual_seed(91)
    routes = [torch.randn(15, 8, generator=gen) for _ in range(count)]
    return [(r, r[:, :3].argmax(1)) for r in routes]
