import torch
from torch import nn
from torch.utils.data import TensorDataset


class TwoTower(nn.Module):
    def __init__(self, users, items, dim=16, dropout=0.1):
        super().__init__()
        self.user = nn.Embedding(users, dim)
        self.item = nn.Embedding(items, dim)
        self.drop = nn.Dropout(dropout)

    def forward(self, user, item):
        return (self.drop(self.user(user)) * self.item(item)).sum(-1)


def triples(count, users, items, seed):
    gen = torch.Generator().manual_seed(seed)
    user = torch.randint(users, (count,), generator=gen)
    pos = (user * 3 + torch.randint(4, (count,), generator=gen)) % items
    neg = torch.randint(items, (count,), generator=gen)
    return TensorDataset(user, pos, neg)
