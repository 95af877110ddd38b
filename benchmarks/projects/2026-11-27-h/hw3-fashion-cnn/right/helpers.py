from collections import defaultdict

import torch
from torch.utils.data import DataLoader, TensorDataset

from settings import *


def make_images(n, seed):
    g = torch.Generator().manual_seed(seed)
    y = torch.randint(0, 4, (n,), generator=g)
    x = 0.5 * torch.randn(n, 1, 12, 12, generator=g)
    for i, c in enumerate(y.tolist()):
        r, q = divmod(c, 2)
        x[i, 0, 6 * r : 6 * r + 6, 6 * q : 6 * q + 6] += 1.0
    return TensorDataset(x, y)


def get_loaders():
    train = DataLoader(make_images(160, SEED), batch_size=BATCH, shuffle=True)
    test = DataLoader(make_images(64, SEED + 1), batch_size=BATCH)
    return train, test


def accuracy(model, loader):
    model.eval()
    hits = total = 0
    with torch.no_grad():
        for x, y in loader:
            hits += (model(x).argmax(1) == y).sum().item()
            total += len(y)
    return hits / total


class Curves:
    def __init__(self):
        self.points = defaultdict(list)

    def add(self, name, value):
        self.points[name].append(value)

    def last_mean(self, name, k):
        tail = self.points[name][-k:]
        return float(sum(tail) / len(tail))
