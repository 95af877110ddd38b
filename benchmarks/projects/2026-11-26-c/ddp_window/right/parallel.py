import os
from contextlib import contextmanager

import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP


@contextmanager
def process_group(port):
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", str(port))
    dist.init_process_group("gloo", rank=int(os.environ.get("RANK", 0)),
                            world_size=int(os.environ.get("WORLD_SIZE", 1)))
    try:
        yield dist.get_rank()
    finally:
        dist.destroy_process_group()


def wrap(model):
    return DDP(model)


@contextmanager
def micro_batch(model, index, every, total):
    """Communicates only where the gradients are needed."""
    if (index + 1) % every == 0 or index + 1 == total:
        yield
    else:
        with model.no_sync():
            yield
