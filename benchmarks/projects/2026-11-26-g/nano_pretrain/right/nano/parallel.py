import os
import tempfile
from contextlib import contextmanager

import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP


class Group:
    def __enter__(self):
        store = "file://" + os.path.join(tempfile.mkdtemp(), "store")
        dist.init_process_group("gloo", init_method=store, rank=0, world_size=1)
        return self

    def __exit__(self, *_):
        dist.destroy_process_group()

    def wrap(self, module):
        return DDP(module)

    @contextmanager
    def reducing(self, module, place, length):
        module.require_backward_grad_sync = place + 1 == length
        yield module
