import math

import torch


def modes(count=8, radius=2.0):
    angle = torch.arange(count) * (2 * math.pi / count)
    return torch.stack([angle.cos(), angle.sin()], 1) * radius


def coverage(points, within=0.6):
    """How many of the ring's modes have a sample nearby."""
    distance = torch.cdist(points, modes())
    return int((distance.min(dim=0).values < within).sum())
