import torch
from torch import nn


class Coach(nn.Module):
    def __init__(self):
        super().__init__()
        self.team = nn.Linear(5, 10)
        self.time = nn.Linear(10, 1)

    def forward(self, road):
        return self.time(torch.tanh(self.team(road)))


def stages(count):
    gen = torch.Generator().manual_seed(21)
    roads = [torch.rand(7, 5, generator=gen) for _ in range(count)]
    return [(road, 2 * road.sum(1, keepdim=True)) for road in roads]
