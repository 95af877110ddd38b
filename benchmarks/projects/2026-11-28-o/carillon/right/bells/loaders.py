import torch
from torch.utils.data import BatchSampler, DataLoader, DistributedSampler, TensorDataset

SEEDS = {"peal": 0, "held_out": 1}


def build_loader(split, size, shuffle):
    gen = torch.Generator().manual_seed(SEEDS[split])
    strikes = torch.randn(72, 6, generator=gen)
    data = TensorDataset(strikes, strikes.cos()[:, :2])
    sampler = DistributedSampler(data, num_replicas=1, rank=0, shuffle=shuffle)
    return DataLoader(data, batch_sampler=BatchSampler(sampler, size, drop_last=False))
