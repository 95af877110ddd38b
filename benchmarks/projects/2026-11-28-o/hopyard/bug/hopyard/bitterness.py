import torch
from torch import nn


class AlphaAcids(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(6, 18)
        self.second = nn.Linear(18, 1)

    def forward(self, cones):
        return self.second(nn.functional.elu(self.first(cones)))


def harvest(count, seed):
    gen = torch.Generator().manual_seed(seed)
    cones = torch.rand(count, 12, 6, generator=gen)
    return [(one, one.prod(1, keepdim=True).sqrt()) for one in cones]
