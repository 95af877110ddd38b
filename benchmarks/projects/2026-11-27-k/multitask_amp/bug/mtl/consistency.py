import torch
from torch.nn import functional as F


def pull_together(trunk, x, weight=0.5, noise=0.1):
    """Features of two noisy copies should agree."""
    first = trunk(x + noise * torch.randn_like(x))
    second = trunk(x + noise * torch.randn_like(x))
    loss = weight * F.mse_loss(first, second)
    loss.backward()
    return loss.item()
