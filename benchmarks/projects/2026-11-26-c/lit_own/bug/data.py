import torch
from torch.utils.data import DataLoader, TensorDataset


def blobs(n: int, seed: int, dim: int = 10, classes: int = 3) -> TensorDataset:
    g = torch.Generator().manual_seed(seed)
    y = torch.randint(0, classes, (n,), generator=g)
    centers = torch.eye(dim)[:classes] * 2
    return TensorDataset(centers[y] + torch.randn(n, dim, generator=g), y)


def loaders(batch_size: int):
    return (DataLoader(blobs(90, 0), batch_size=batch_size, shuffle=True),
            DataLoader(blobs(40, 1), batch_size=batch_size))
