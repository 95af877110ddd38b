import torch
from torch.utils.data import DataLoader, TensorDataset


def trips(n, seed, batch=10, shuffle=True):
    g = torch.Generator().manual_seed(seed)
    x = torch.rand(n, 6, generator=g)
    ride = 3 * x[:, 0] + x[:, 1] * x[:, 2]
    dwell = 0.4 + 0.6 * x[:, 3]
    return DataLoader(TensorDataset(x, torch.stack([ride, dwell], 1)), batch, shuffle=shuffle, generator=g)
