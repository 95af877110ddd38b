import torch
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def _table(rows, seed):
    g = torch.Generator().manual_seed(seed)
    cont = torch.randn(rows, 6, generator=g)
    cat = torch.randint(0, 4, (rows, 2), generator=g)
    price = cont[:, 0] * 2 - cont[:, 3] + cat[:, 0].float() * 0.5
    return TensorDataset(cont, cat, price)


def train_loader(rows=220, batch_size=16):
    ds = _table(rows, 3)
    return DataLoader(ds, batch_size=batch_size, sampler=DistributedSampler(ds, shuffle=True, seed=9))


def holdout_loader(rows=64):
    return DataLoader(_table(rows, 4), batch_size=32)
