import torch
from torch import nn


class DeckNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.mix = nn.Linear(5, 15)
        self.out = nn.Linear(15, 1)

    def forward(self, cars):
        return self.out(torch.tanh(self.mix(cars)))


def crossings(count):
    gen = torch.Generator().manual_seed(21)
    cars = torch.randn(count, 18, 5, generator=gen)
    return [(deck, deck[:, :3].sum(1, keepdim=True) / 3) for deck in cars]
