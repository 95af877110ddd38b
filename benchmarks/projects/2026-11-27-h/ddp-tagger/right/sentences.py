import torch
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def build_loader(size, batch_size, train=True):
    g = torch.Generator().manual_seed(size)
    words = torch.randint(0, 50, (size, 9), generator=g)
    tags = (words % 5 + words.roll(1, dims=1) % 2) % 5
    data = TensorDataset(words, tags)
    sampler = DistributedSampler(data, shuffle=train)
    return DataLoader(data, batch_size=batch_size, sampler=sampler)
