import os
import tempfile

import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def start():
    rank = int(os.environ.get("RANK", 0))
    world = int(os.environ.get("WORLD_SIZE", 1))
    store = os.path.join(tempfile.mkdtemp(), "store")
    dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=world)
    return rank, world


def wrap(net):
    return DistributedDataParallel(net)


def stop():
    dist.destroy_process_group()
