import torch
from torch import nn
from torch.utils.data import TensorDataset


class Yield(nn.Module):
    def __init__(self, sensors):
        super().__init__()
        self.inner = nn.Linear(sensors, 12)
        self.outer = nn.Linear(12, 1)

    def forward(self, x):
        return self.outer(torch.tanh(self.inner(x)))


def cows(sensors, count=80):
    x = torch.randn(count, sensors)
    return TensorDataset(x, x.mean(1, keepdim=True))
