import os
import tempfile

import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def setup():
    world, rank = int(os.environ.get("WORLD_SIZE", 1)), int(os.environ.get("RANK", 0))
    init = "env://" if "MASTER_ADDR" in os.environ else f"file://{tempfile.mktemp()}"
    dist.init_process_group("gloo", init_method=init, world_size=world, rank=rank)
    return rank


def is_main():
    return dist.get_rank() == 0


def wrap(net):
    return DistributedDataParallel(net)


def cleanup():
    dist.destroy_process_group()
