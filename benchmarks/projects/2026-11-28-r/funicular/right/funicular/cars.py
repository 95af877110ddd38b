import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class BrakeNet(nn.Module):
    """Brake temperature at the lower station, from load and slope."""

    def __init__(self, sensors=5):
        super().__init__()
        self.rope = nn.Linear(sensors, 24)
        self.slack = nn.Dropout(0.2)
        self.brake = nn.Linear(24, 1)

    def forward(self, x):
        return self.brake(self.slack(torch.relu(self.rope(x))))


def rides(count):
    x = torch.randn(count, 5)
    return DataLoader(TensorDataset(x, x[:, :1] * 2 - x[:, 1:2]), batch_size=16)
