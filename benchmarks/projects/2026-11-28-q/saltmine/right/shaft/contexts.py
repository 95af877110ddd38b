from contextlib import contextmanager

import torch
import torch.distributed as dist


@contextmanager
def shift(store):
    dist.init_process_group("gloo", store=store, rank=0, world_size=1)
    try:
        yield
    finally:
        dist.destroy_process_group()


@contextmanager
def lamp():
    """Low light: half of the bits."""
    with torch.autocast("cpu", dtype=torch.bfloat16):
        yield


@contextmanager
def hush(net, last):
    """Nobody talks to the other shafts before the last cart."""
    if last:
        yield
    else:
        with net.no_sync():
            yield
