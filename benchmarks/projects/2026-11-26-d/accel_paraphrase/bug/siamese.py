import torch
from torch import nn
from torch.utils.data import TensorDataset


class Siamese(nn.Module):
    def __init__(self, vocab, dim=16):
        super().__init__()
        self.bag = nn.EmbeddingBag(vocab, dim)
        self.project = nn.Sequential(nn.Linear(dim, dim), nn.Tanh(), nn.Linear(dim, dim))
        self.compare = nn.Linear(3 * dim, 2)

    def forward(self, left, right):
        u, v = self.project(self.bag(left)), self.project(self.bag(right))
        return self.compare(torch.cat([u, v, (u - v).abs()], dim=-1))


def make_pairs(n, length=6, vocab=40):
    g = torch.Generator().manual_seed(0)
    left = torch.randint(vocab, (n, length), generator=g)
    same = torch.rand(n, generator=g) > 0.5
    shuffled = left[:, torch.randperm(length, generator=g)]
    right = torch.where(same[:, None], shuffled, torch.randint(vocab, (n, length), generator=g))
    return TensorDataset(left, right, same.long())
