import math

import torch
from torch.utils.data import DataLoader, TensorDataset


def levels(n, seed):
    t = torch.arange(n) / 12.42 * 2 * math.pi
    g = torch.Generator().manual_seed(seed)
    return t.sin() + 0.3 * (t * 0.96).sin() + 0.1 * torch.randn(n, generator=g)


def windows(conf, n, seed):
    rows = levels(n, seed).unfold(0, conf.lag + conf.horizon, 1)
    return TensorDataset(rows[:, : conf.lag], rows[:, conf.lag :])


def loaders(conf):
    train = DataLoader(windows(conf, 500, 0), batch_size=conf.batch, shuffle=True)
    valid = DataLoader(windows(conf, 200, 1), batch_size=64)
    return train, valid
