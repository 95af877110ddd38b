from contextlib import contextmanager

import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP


@contextmanager
def one_process():
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    try:
        yield
    finally:
        dist.destroy_process_group()


def parallel(net):
    return DDP(net)
