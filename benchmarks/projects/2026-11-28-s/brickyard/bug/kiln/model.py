import torch
from torch import nn


class BrickNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.clay = nn.Sequential(nn.Linear(10, 20), nn.BatchNorm1d(20), nn.ReLU())
        self.drop = nn.Dropout(0.2)
        self.grade = nn.Linear(20, 4)

    def forward(self, x):
        return self.grade(self.drop(self.clay(x)))


def load(batches, seed):
    gen = torch.Generator().manual_seed(seed)
    made = []
    for _ in range(batches):
        x = torch.randn(16, 10, generator=gen)
        made.append((x, x[:, :4].argmax(1)))
    return made
