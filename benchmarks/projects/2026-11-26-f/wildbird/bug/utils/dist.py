from contextlib import contextmanager

import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def start():
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)


def stop():
    dist.destroy_process_group()


@contextmanager
def micro_sync(model, final):
    """Keeps the gradients local until the final part of a window."""
    if final or not isinstance(model, DistributedDataParallel):
        yield
    else:
        with model.no_sync():
            yield
