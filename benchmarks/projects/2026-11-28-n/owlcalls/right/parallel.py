from contextlib import contextmanager

import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


@contextmanager
def joined():
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    yield
    dist.destroy_process_group()


def spread(net):
    return DistributedDataParallel(net)
