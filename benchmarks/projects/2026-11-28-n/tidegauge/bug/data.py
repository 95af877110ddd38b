import torch
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def gauge_loader(samples, batch_size):
    hours = torch.arange(samples + 12, dtype=torch.float32)
    tide = torch.sin(hours * 0.506) + 0.3 * torch.sin(hours * 0.26)
    windows = tide.unfold(0, 12, 1)[:samples]
    dataset = TensorDataset(windows, tide[12 : samples + 12].unsqueeze(1))
    sampler = DistributedSampler(dataset, shuffle=True, seed=3)
    return DataLoader(dataset, batch_size=batch_size, sampler=sampler)


def restart(loader, epoch):
    """Tell the sampler which pass over the data comes next."""
    if isinstance(loader.sampler, DistributedSampler):
        loader.sampler.set_epoch(epoch)
