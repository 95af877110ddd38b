import torch
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def make_telemetry(n, seed):
    gen = torch.Generator().manual_seed(seed)
    x = torch.randn(n, 12, generator=gen)
    y = (x[:, :3].sum(dim=1) > 0).long() + (x[:, 3] > 1).long()
    return TensorDataset(x, y)


def build_dataloaders(args):
    train_set, val_set = make_telemetry(args.samples, 1), make_telemetry(64, 2)
    if args.distributed:
        sampler = DistributedSampler(train_set, shuffle=True)
    else:
        sampler = torch.utils.data.RandomSampler(train_set)
    train = DataLoader(train_set, batch_size=args.batch_size, sampler=sampler)
    val = DataLoader(val_set, batch_size=args.batch_size)
    return train, val
