import torch
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def partials(count=150):
    generator = torch.Generator().manual_seed(11)
    x = torch.rand(count, 6, generator=generator)
    return TensorDataset(x, (x * torch.arange(1.0, 7.0)).mean(1, keepdim=True))


def make_loader(batch):
    dataset = partials()
    sampler = DistributedSampler(dataset, shuffle=True, seed=5)
    return DataLoader(dataset, batch_size=batch, sampler=sampler)


def reshuffle(loader, epoch):
    if isinstance(loader.sampler, DistributedSampler):
        loader.sampler.set_epoch(epoch)
