from contextlib import nullcontext

import torch.distributed as td
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler


def start():
    td.init_process_group("gloo", store=td.HashStore(), rank=0, world_size=1)


def stop():
    td.destroy_process_group()


def wrap(net):
    return DistributedDataParallel(net)


def sharded(dataset, batch_size):
    sampler = DistributedSampler(dataset, shuffle=True, seed=3)
    return DataLoader(dataset, batch_size=batch_size, sampler=sampler)


def in_order(dataset, batch_size):
    return DataLoader(dataset, batch_size=batch_size, sampler=DistributedSampler(dataset, shuffle=False))


def reshuffle(loader, epoch):
    if isinstance(loader.sampler, DistributedSampler):
        loader.sampler.set_epoch(epoch)


def quiet(model, last):
    return nullcontext() if last else model.no_sync()
