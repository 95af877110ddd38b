import torch
from torch.utils.data import DataLoader, TensorDataset


def glyph_loader(n, batch_size, shuffle, seed):
    gen = torch.Generator().manual_seed(seed)
    prototypes = torch.randn(10, 1, 8, 8, generator=torch.Generator().manual_seed(99))
    y = torch.randint(10, (n,), generator=gen)
    x = prototypes[y] + 0.7 * torch.randn(n, 1, 8, 8, generator=gen)
    return DataLoader(TensorDataset(x, y), batch_size=batch_size, shuffle=shuffle)
