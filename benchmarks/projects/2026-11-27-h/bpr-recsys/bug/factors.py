import torch
from torch import nn


class Factors(nn.Module):
    def __init__(self, users, items, dim):
        super().__init__()
        self.u = nn.Embedding(users, dim)
        self.i = nn.Embedding(items, dim)
        nn.init.normal_(self.u.weight, std=0.1)
        nn.init.normal_(self.i.weight, std=0.1)

    def forward(self, user, item):
        return (self.u(user) * self.i(item)).sum(-1)


def triples(users, items, n):
    user = torch.randint(0, users, (n,))
    good = (user % 4) * (items // 4) + torch.randint(0, items // 4, (n,))
    bad = torch.randint(0, items, (n,))
    return torch.stack([user, good, bad], dim=1)
