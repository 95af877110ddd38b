import contextlib
import os
import tempfile

import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP


@contextlib.contextmanager
def process_group(rank=0, world=1):
    store = os.path.join(tempfile.mkdtemp(), "store")
    dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=world)
    try:
        yield
    finally:
        dist.destroy_process_group()


def replicate(net):
    return DDP(net)


class SyncGate:
    """Decides for each micro-batch whether its gradients are all-reduced."""

    def __init__(self, replica, every):
        self.replica, self.every = replica, every

    def __call__(self, index):
        if (index + 1) % self.every == 0:
            return contextlib.nullcontext()
        return self.replica.no_sync()
