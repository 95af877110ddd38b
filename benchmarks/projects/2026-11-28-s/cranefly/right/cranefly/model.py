import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.veins = nn.Linear(9, 18)
        self.name = nn.Linear(18, 4)

    def forward(self, wings):
        return self.name(torch.relu(self.veins(wings)))


def traps(count):
    gen = torch.Generator().manual_seed(71)
    wings = [torch.randn(8, 9, generator=gen) for _ in range(count)]
    return [(w, w[:, :4].argmax(1)) for w in wings]
