import math

import torch
from torch.utils.data import DataLoader, TensorDataset


def ring_loader(count, batch):
    angle = 2 * math.pi * torch.rand(count)
    points = torch.stack([angle.cos(), angle.sin()], 1) + 0.02 * torch.randn(count, 2)
    return DataLoader(TensorDataset(points), batch_size=batch, shuffle=True)
