import torch
from torch import nn


class TwoTowers(nn.Module):
    def __init__(self, users, items, dim=16):
        super().__init__()
        self.u = nn.Embedding(users, dim)
        self.i = nn.Embedding(items, dim)
        self.mix = nn.Linear(dim, dim)
        self.bias = nn.Parameter(torch.zeros(items))

    def forward(self, user, item):
        return (self.mix(self.u(user)) * self.i(item)).sum(-1) + self.bias[item]
