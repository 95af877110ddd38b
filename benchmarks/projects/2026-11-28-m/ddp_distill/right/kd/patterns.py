import torch
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def make(n, seed):
    g = torch.Generator().manual_seed(seed)
    centres = torch.randn(6, 20, generator=torch.Generator().manual_seed(1))
    y = torch.randint(6, (n,), generator=g)
    return TensorDataset(centres[y] + 0.9 * torch.randn(n, 20, generator=g), y)


def build_loader(n, batch_size, rank, world):
    ds = make(n, 2)
    return DataLoader(ds, batch_size, sampler=DistributedSampler(ds, world, rank), drop_last=True)
