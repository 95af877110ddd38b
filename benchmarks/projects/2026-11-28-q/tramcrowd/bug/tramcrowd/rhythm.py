import torch
from torch.nn import functional as F


def calm(tram, riders, half):
    """Two looks at the same riders should agree; adds its own gradient."""
    with half.cast():
        first = tram(riders)
        second = tram(riders + 0.05 * torch.randn_like(riders))
        gap = 0.1 * F.mse_loss(first, second)
    gap.backward()
    return gap.item()
