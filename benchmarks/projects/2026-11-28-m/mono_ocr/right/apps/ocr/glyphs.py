import torch
from torch.utils.data import DataLoader, TensorDataset


def strips(n=192, seed=0):
    g = torch.Generator().manual_seed(seed)
    font = torch.rand(10, 12, generator=torch.Generator().manual_seed(99))
    digit = torch.randint(10, (n,), generator=g)
    ink = font[digit] + 0.1 * torch.randn(n, 12, generator=g)
    width = font[digit].sum(1, keepdim=True) / 12
    return TensorDataset(ink, digit, width)


def train_batches():
    return DataLoader(strips(), batch_size=24, shuffle=True)


def test_batches():
    return DataLoader(strips(96, seed=8), batch_size=48)
