import torch
from torch.utils.data import DataLoader, TensorDataset


def slices(n, seed, size=16, batch=4):
    g = torch.Generator().manual_seed(seed)
    rows = torch.linspace(-1, 1, size)
    radius = 0.3 + 0.5 * torch.rand(n, 1, 1, 1, generator=g)
    disc = ((rows[:, None] ** 2 + rows**2).sqrt()[None, None] < radius).float()
    spectrum = torch.fft.fft2(disc)
    keep = (torch.rand(n, 1, 1, size, generator=g) < 0.6).float()
    keep[..., :2] = keep[..., -2:] = 1.0
    zero_filled = torch.fft.ifft2(spectrum * keep).real
    return DataLoader(TensorDataset(zero_filled, disc), batch, shuffle=True, generator=g)
