import torch
from torch import nn


class Thickness(nn.Sequential):
    def __init__(self, probes=9):
        super().__init__(nn.Linear(probes, 18), nn.LeakyReLU(), nn.Linear(18, 1))


def hides(count, probes=9):
    batches = []
    for _ in range(count):
        x = torch.randn(12, probes)
        batches.append((x, x.amax(1, keepdim=True)))
    return batches
