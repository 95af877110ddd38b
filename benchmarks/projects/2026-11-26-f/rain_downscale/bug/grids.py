import torch
from torch.nn import functional as F


def days(n, seed, batch=4, size=16):
    """Coarse rain and its fine field, in batches."""
    g = torch.Generator().manual_seed(seed)
    fine = F.avg_pool2d(torch.rand(n, 1, size + 4, size + 4, generator=g), 5, stride=1).sub(0.5).relu() * 10
    coarse = F.interpolate(F.avg_pool2d(fine, 4), scale_factor=4)
    return list(zip(coarse.split(batch), fine.split(batch)))


def grouped(batches, size):
    for start in range(0, len(batches), size):
        yield batches[start : start + size]
