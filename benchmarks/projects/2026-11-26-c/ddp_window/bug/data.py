import torch
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def sequences(n, seed, length=12, dim=6):
    g = torch.Generator().manual_seed(seed)
    phase = torch.rand(n, 1, dim, generator=g) * 6.28
    t = torch.arange(length).view(1, -1, 1) * 0.5
    x = torch.sin(t + phase) + 0.05 * torch.randn(n, length, dim, generator=g)
    return TensorDataset(x, (phase[:, 0, 0] > 3.14).long())


def distributed_loader(dataset, batch_size, shuffle):
    sampler = DistributedSampler(dataset, shuffle=shuffle)
    return DataLoader(dataset, batch_size=batch_size, sampler=sampler)
