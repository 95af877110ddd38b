import torch
from torch import nn


class OwlNet(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.ear = nn.Sequential(nn.Linear(14, width), nn.ReLU(), nn.Dropout(0.1))
        self.mind = nn.Linear(width, 3)

    def size(self):
        return self.mind.weight.square().sum()

    def forward(self, sound):
        return self.mind(self.ear(sound))


def recordings(batches, seed):
    generator = torch.Generator().manual_seed(seed)
    for _ in range(batches):
        owl = torch.randint(0, 3, (6,), generator=generator)
        yield torch.randn(6, 14, generator=generator) + owl.unsqueeze(1), owl
