import torch
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def seats(settings):
    notes = torch.randn(64, 6)
    tempo = notes.cumsum(1)[:, -1:]
    dataset = TensorDataset(notes, tempo)
    sampler = DistributedSampler(dataset, shuffle=True, seed=settings.seed)
    return DataLoader(dataset, batch_size=settings.batch, sampler=sampler)


def reseat(loader, concert):
    loader.sampler.set_epoch(concert)
