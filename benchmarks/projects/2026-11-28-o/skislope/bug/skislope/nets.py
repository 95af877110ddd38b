import torch
from torch import nn


class RiskNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(5, 20), nn.BatchNorm1d(20), nn.ReLU(), nn.Dropout(0.2))
        self.head = nn.Linear(20, 1)

    def forward(self, x):
        return self.head(self.body(x)).squeeze(-1)


def snow_batches(count, seed):
    gen = torch.Generator().manual_seed(seed)
    batches = []
    for _ in range(count):
        x = torch.randn(16, 5, generator=gen)
        batches.append((x, (x[:, 0] + x[:, 3] > 0).float()))
    return batches
