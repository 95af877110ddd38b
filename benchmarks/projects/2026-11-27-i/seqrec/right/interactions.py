import torch
from torch.utils.data import DataLoader, TensorDataset


def make_loader(users, items, length, batch_size, seed=0):
    g = torch.Generator().manual_seed(seed)
    taste = torch.randint(1, items - length, (users, 1), generator=g)
    history = taste + torch.randint(0, length, (users, length), generator=g)
    positive = taste.squeeze(1) + length // 2
    negative = torch.randint(1, items, (users,), generator=g)
    return DataLoader(TensorDataset(history, positive, negative), batch_size=batch_size, shuffle=True)
