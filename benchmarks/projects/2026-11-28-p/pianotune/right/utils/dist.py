from contextlib import nullcontext

import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def start():
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)


def wrap(net):
    return DistributedDataParallel(net)


def sync_when(model, boundary):
    return nullcontext() if boundary else model.no_sync()


def shutdown():
    dist.destroy_process_group()
