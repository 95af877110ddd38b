import tempfile
from contextlib import contextmanager

import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def start():
    store = tempfile.NamedTemporaryFile(delete=False).name + ".store"
    dist.init_process_group("gloo", init_method=f"file://{store}", rank=0, world_size=1)


def stop():
    dist.destroy_process_group()


def replicate(net):
    return DistributedDataParallel(net)


@contextmanager
def reducing(model, when):
    if when:
        yield
    else:
        with model.no_sync():
            yield
