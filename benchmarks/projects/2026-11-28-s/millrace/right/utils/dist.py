from contextlib import nullcontext

import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def start():
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)


def stop():
    dist.destroy_process_group()


def wrap(net):
    return DistributedDataParallel(net)


def closes(i, window, batches):
    return (i + 1) % window == 0 or i + 1 == batches


def sync_scope(model, i, window, batches):
    if closes(i, window, batches):
        return nullcontext()
    return model.no_sync()
