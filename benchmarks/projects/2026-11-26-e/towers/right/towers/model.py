import torch
from torch import nn
from torch.utils.data import TensorDataset


class TwoTower(nn.Module):
    def __init__(self, users, items, dim=16, p=0.1):
        super().__init__()
        self.user = nn.Sequential(nn.Embedding(users, dim), nn.Dropout(p), nn.Linear(dim, dim))
        self.item = nn.Embedding(items, dim)

    def scores(self, user):
        return self.user(user) @ self.item.weight.T

    def forward(self, user, item):
        return nn.functional.cross_entropy(self.scores(user), item)


def clicks(users, items, n, seed):
    g = torch.Generator().manual_seed(seed)
    u = torch.randint(0, users, (n,), generator=g)
    return TensorDataset(u, (3 * u + 1) % items)
