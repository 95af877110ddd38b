from contextlib import nullcontext

import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP


def start():
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)


def mirrored(net):
    return DDP(net)


def quiet(model, last):
    return nullcontext() if last else model.no_sync()
