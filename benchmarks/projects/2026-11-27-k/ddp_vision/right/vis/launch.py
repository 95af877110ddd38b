import os
import tempfile

import torch.distributed as dist


def rank_and_world():
    return int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))


def start(backend):
    rank, world = rank_and_world()
    if "MASTER_ADDR" in os.environ:
        dist.init_process_group(backend, rank=rank, world_size=world)
    else:
        store = os.path.join(tempfile.mkdtemp(), "store")
        dist.init_process_group(backend, init_method=f"file://{store}", rank=rank, world_size=world)
    return rank, world


def stop():
    dist.destroy_process_group()
