import torch
from torch.utils.data import DataLoader, TensorDataset


def get_loader(train, batch_size):
    g = torch.Generator().manual_seed(5 + train)
    n = 92 if train else 40
    y = torch.randint(0, 3, (n,), generator=g)
    x = torch.randn(n, 10, generator=g) + y[:, None] * torch.linspace(-1, 1, 10)
    return DataLoader(TensorDataset(x, y), batch_size=batch_size, shuffle=train)
