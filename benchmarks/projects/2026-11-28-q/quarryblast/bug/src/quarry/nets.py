import torch
from torch import nn


class Seismo(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(5, 12)
        self.outer = nn.Linear(12, 1)

    def forward(self, x):
        return self.outer(torch.relu(self.inner(x)))


def shots(count, size=8):
    x = torch.randn(count, 5)
    y = x.mean(1, keepdim=True)
    return list(zip(x.split(size), y.split(size)))
