import os

import torch
import torch.distributed as dist


def init_distributed(port):
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", str(port))
    rank = int(os.environ.get("RANK", 0))
    world_size = int(os.environ.get("WORLD_SIZE", 1))
    dist.init_process_group("gloo", rank=rank, world_size=world_size)


def is_main_process():
    return not dist.is_initialized() or dist.get_rank() == 0


def reduce_mean(value):
    if not dist.is_initialized():
        return value
    tensor = torch.tensor(float(value))
    dist.all_reduce(tensor)
    return (tensor / dist.get_world_size()).item()
