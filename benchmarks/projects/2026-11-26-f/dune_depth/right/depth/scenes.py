import torch
from torch.utils.data import DataLoader, TensorDataset


def scenes(n, seed, size=12):
    g = torch.Generator().manual_seed(seed)
    phase = 6.28 * torch.rand(n, 1, 1, generator=g)
    slope = 0.5 + torch.rand(n, 1, 1, generator=g)
    rows = torch.linspace(0, 1, size)
    depth = 1.5 + slope * rows[:, None] + 0.3 * (5 * rows + phase).sin()
    image = 1 / depth + 0.02 * torch.randn(n, size, size, generator=g)
    return DataLoader(TensorDataset(image[:, None], depth[:, None]), 6, shuffle=True, generator=g)
