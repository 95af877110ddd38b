import torch
from torch.utils.data import DataLoader, TensorDataset


def radar_pairs(n=64, size=12, seed=4, batch=8):
    """Two radar images, the flooded pixels, and the share of them."""
    g = torch.Generator().manual_seed(seed)
    before = 0.6 + 0.1 * torch.randn(n, 1, size, size, generator=g)
    level = torch.randint(0, size // 2, (n, 1, 1, 1), generator=g)
    flooded = (torch.arange(size)[:, None].expand(size, size) >= size - level).float()
    after = before * (1 - 0.7 * flooded) + 0.05 * torch.randn(n, 1, size, size, generator=g)
    images = torch.cat([before, after], 1)
    return DataLoader(TensorDataset(images, flooded, flooded.mean((1, 2, 3))), batch, shuffle=True, generator=g)
