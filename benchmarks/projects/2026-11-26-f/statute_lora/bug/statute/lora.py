import math

import torch
from torch import nn


class LoraLinear(nn.Module):
    def __init__(self, base, rank, dropout):
        super().__init__()
        self.base = base.requires_grad_(False)
        self.drop = nn.Dropout(dropout)
        self.down = nn.Parameter(torch.randn(rank, base.in_features) / math.sqrt(base.in_features))
        self.up = nn.Parameter(torch.zeros(base.out_features, rank))

    def forward(self, x):
        return self.base(x) + self.drop(x) @ self.down.T @ self.up.T


def adapters(model):
    return [p for p in model.parameters() if p.requires_grad]
