from contextlib import contextmanager

import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def setup():
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)


def wrap(net):
    return DistributedDataParallel(net)


@contextmanager
def grad_sync(model, step, accum):
    if step % accum == 0:
        yield
    else:
        with model.no_sync():
            yield
