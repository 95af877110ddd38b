import torch

from .consts import LOOKBACK

__all__ = ["tide_batches"]


def tide_batches(n=6, size=12, seed=0):
    g = torch.Generator().manual_seed(seed)
    for _ in range(n):
        start = 50 * torch.rand(size, 1, generator=g)
        t = start + torch.arange(LOOKBACK + 1)
        level = torch.sin(t / 2) + 0.5 * torch.sin(t / 5) + 0.05 * torch.randn(t.shape, generator=g)
        yield level[:, :-1], level[:, -1]
