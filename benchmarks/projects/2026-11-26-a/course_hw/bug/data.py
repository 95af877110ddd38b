import torch
from torch.utils.data import DataLoader, TensorDataset

import settings


def rings(n):
    radius = torch.rand(n) * 2
    angle = torch.rand(n) * 6.2832
    points = torch.stack([radius * angle.cos(), radius * angle.sin()], dim=1)
    return TensorDataset(points, (radius > 1.2).long())


def get_loaders():
    train = DataLoader(rings(settings.N_TRAIN), batch_size=settings.BATCH_SIZE, shuffle=True)
    test = DataLoader(rings(settings.N_TEST), batch_size=settings.BATCH_SIZE)
    return train, test
