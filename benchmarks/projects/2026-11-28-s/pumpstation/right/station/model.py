import torch
from torch import nn


class PumpModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.valves = nn.Linear(6, 18)
        self.gauge = nn.Linear(18, 1)

    def forward(self, state):
        return self.gauge(nn.functional.silu(self.valves(state)))


def readings(count):
    gen = torch.Generator().manual_seed(31)
    states = [torch.randn(14, 6, generator=gen) for _ in range(count)]
    return [(s, s[:, :2].sum(1, keepdim=True)) for s in states]
