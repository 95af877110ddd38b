import torch
from torch import nn


class Hearing(nn.Module):
    def __init__(self):
        super().__init__()
        self.ear = nn.Sequential(nn.Linear(12, 32), nn.ReLU())
        self.range = nn.Linear(32, 5)

    def forward(self, sound):
        return self.range(self.ear(sound))


def blasts(count):
    gen = torch.Generator().manual_seed(12)
    for _ in range(count):
        sound = torch.randn(16, 12, generator=gen)
        yield sound, sound[:, :5].argmax(1)
