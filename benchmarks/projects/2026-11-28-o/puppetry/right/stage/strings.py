import torch
from torch import nn


class Marionette(nn.Module):
    def __init__(self):
        super().__init__()
        self.limbs = nn.Sequential(nn.Linear(4, 12), nn.Softplus(), nn.Linear(12, 4))
        self.voice = nn.Linear(4, 2)

    def forward(self, pull):
        return self.limbs(pull)


def scenes(count):
    gen = torch.Generator().manual_seed(15)
    pulls = torch.randn(count, 10, 4, generator=gen)
    return [(pull, pull.flip(1), pull[:, :2].sin()) for pull in pulls]
