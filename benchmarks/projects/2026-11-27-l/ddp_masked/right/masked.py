import torch
from torch import nn
from torch.utils.data import TensorDataset


class MaskedAE(nn.Module):
    def __init__(self, dim=16, hidden=48):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2 * dim, hidden), nn.GELU(), nn.Linear(hidden, dim))

    def forward(self, x, keep):
        rebuilt = self.net(torch.cat([x * keep, keep], dim=1))
        hidden = 1 - keep
        return ((rebuilt - x).pow(2) * hidden).sum() / hidden.sum().clamp(min=1)


def low_rank(n, dim=16, rank=3):
    return TensorDataset(torch.randn(n, rank) @ torch.randn(rank, dim))
