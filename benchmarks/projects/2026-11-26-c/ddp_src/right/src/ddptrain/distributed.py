from __future__ import annotations

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def setup() -> tuple[int, int]:
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29541")
    rank = int(os.environ.get("RANK", "0"))
    world = int(os.environ.get("WORLD_SIZE", "1"))
    dist.init_process_group("nccl" if torch.cuda.is_available() else "gloo", rank=rank, world_size=world)
    return rank, world


def cleanup() -> None:
    dist.destroy_process_group()


def is_main(rank: int) -> bool:
    return rank == 0


def parallelize(module: nn.Module) -> nn.Module:
    if torch.cuda.is_available():
        device = int(os.environ.get("LOCAL_RANK", "0"))
        torch.cuda.set_device(device)
        return DistributedDataParallel(module.cuda(device), device_ids=[device])
    return DistributedDataParallel(module)


def all_mean(value: torch.Tensor) -> float:
    value = value.detach().clone()
    dist.all_reduce(value)
    return (value / dist.get_world_size()).item()
