import os

import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def launch(fn):
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29611")
    dist.init_process_group("gloo", rank=int(os.environ.get("RANK", 0)), world_size=int(os.environ.get("WORLD_SIZE", 1)))
    try:
        fn(dist.get_rank(), dist.get_world_size())
    finally:
        dist.destroy_process_group()


def wrap(net):
    return DistributedDataParallel(net)
