import torch
from torch.utils.data import DataLoader, TensorDataset


def friedman(n, seed):
    g = torch.Generator().manual_seed(seed)
    x = torch.rand(n, 5, generator=g)
    y = torch.sin(3.14 * x[:, :1] * x[:, 1:2]) + 2 * (x[:, 2:3] - 0.5) ** 2 + x[:, 3:4] + 0.5 * x[:, 4:5]
    return TensorDataset(x, y)


def make_loaders(batch_size):
    train = DataLoader(friedman(128, 0), batch_size=batch_size, shuffle=True)
    test = DataLoader(friedman(64, 1), batch_size=batch_size)
    return train, test
