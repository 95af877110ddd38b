import torch
from torch.utils.data import BatchSampler, DataLoader, DistributedSampler, TensorDataset


def ship_loader(count, size=9):
    echo = torch.rand(count, 6)
    ships = TensorDataset(echo, (echo.sum(1) * 0.66).long().clamp(max=3))
    lots = BatchSampler(DistributedSampler(ships), size, drop_last=False)
    return DataLoader(ships, batch_sampler=lots)
