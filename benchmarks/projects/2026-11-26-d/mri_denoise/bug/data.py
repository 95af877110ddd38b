import torch
from torch.utils.data import DataLoader, TensorDataset


def _phantoms(n, sigma, gen):
    clean = torch.zeros(n, 1, 12, 12)
    for i in range(n):
        a, b = torch.randint(1, 6, (2,), generator=gen).tolist()
        clean[i, :, a : a + 5, b : b + 5] = 1.0
    noisy = clean + sigma * torch.randn(clean.shape, generator=gen)
    return TensorDataset(noisy, clean)


def make_loaders(seed, batch=8):
    gen = torch.Generator().manual_seed(seed)
    train, val = _phantoms(64, 0.3, gen), _phantoms(24, 0.3, gen)
    return DataLoader(train, batch, shuffle=True), DataLoader(val, batch)
