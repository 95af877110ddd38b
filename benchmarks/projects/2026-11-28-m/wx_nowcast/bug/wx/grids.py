import torch
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def radar(n, seed):
    g = torch.Generator().manual_seed(seed)
    frames = torch.rand(n, 3, 8, 8, generator=g)
    rain = frames[:, -1].roll(1, dims=-1) * 0.8 + 0.1 * frames[:, 0]
    return TensorDataset(frames, rain.unsqueeze(1))


def training_loader(rank, world, batch):
    data = radar(88, seed=5)
    sampler = DistributedSampler(data, num_replicas=world, rank=rank, shuffle=True)
    return DataLoader(data, batch_size=batch, sampler=sampler)


def holdout_loader():
    return DataLoader(radar(32, seed=6), batch_size=16)
