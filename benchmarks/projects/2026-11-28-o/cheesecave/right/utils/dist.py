from contextlib import nullcontext

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def init_distributed():
    if not dist.is_initialized():
        dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)


def shutdown():
    dist.destroy_process_group()


def is_main():
    return dist.get_rank() == 0


def wrap(net):
    return DistributedDataParallel(net)


def sync_only_if(model, closing):
    return nullcontext() if closing else model.no_sync()


def next_shuffle(loader, epoch):
    if hasattr(loader.sampler, "set_epoch"):
        loader.sampler.set_epoch(epoch)


def mean_over_ranks(value):
    tensor = torch.tensor(value)
    dist.all_reduce(tensor)
    return (tensor / dist.get_world_size()).item()
