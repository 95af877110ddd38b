import os
from contextlib import contextmanager, nullcontext

import torch.distributed as dist


@contextmanager
def single_node():
    os.environ.setdefault("MASTER_ADDR", "localhost")
    os.environ.setdefault("MASTER_PORT", "29633")
    dist.init_process_group("gloo", rank=0, world_size=1)
    yield
    dist.destroy_process_group()


def hold(model, n, window):
    """Keeps gradients local until the window is full."""
    if n % window:
        return model.no_sync()
    return nullcontext()
