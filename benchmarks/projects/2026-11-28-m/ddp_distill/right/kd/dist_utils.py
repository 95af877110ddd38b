import contextlib
import tempfile

import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


@contextlib.contextmanager
def gloo():
    dist.init_process_group("gloo", init_method=f"file://{tempfile.mkdtemp()}/s", rank=0, world_size=1)
    try:
        yield dist.get_rank(), dist.get_world_size()
    finally:
        dist.destroy_process_group()


def distribute(module):
    return DistributedDataParallel(module)


def defer(module, until):
    return contextlib.nullcontext() if until else module.no_sync()
