import torch
from torch import nn


class TwoTower(nn.Module):
    def __init__(self, users, items, dim=16):
        super().__init__()
        self.users = nn.Sequential(nn.Embedding(users, dim), nn.Dropout(0.1), nn.Linear(dim, dim))
        self.items = nn.Sequential(nn.Embedding(items, dim), nn.Dropout(0.1), nn.Linear(dim, dim))

    def forward(self, user, item):
        return self.users(user) @ self.items(item).T
