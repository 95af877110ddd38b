import torch
from torch.utils.data import DataLoader, TensorDataset

USERS, ITEMS = 80, 50


def clicks(n=640, seed=3):
    g = torch.Generator().manual_seed(seed)
    u = torch.randint(USERS, (n,), generator=g)
    i = torch.randint(ITEMS, (n,), generator=g)
    y = ((u % 5) == (i % 5)).float()
    return TensorDataset(u, i, y)


def loader(batch):
    return DataLoader(clicks(), batch_size=batch, shuffle=True)
