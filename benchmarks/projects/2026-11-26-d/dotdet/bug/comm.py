import contextlib
import os

import torch.distributed as dist


def init():
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29647")
    dist.init_process_group("gloo", rank=int(os.getenv("RANK", "0")), world_size=int(os.getenv("WORLD_SIZE", "1")))


def close():
    dist.destroy_process_group()


def backward(model, loss, local):
    if not loss.isfinite():
        raise FloatingPointError(f"loss is {loss.item()}")
    with model.no_sync() if local else contextlib.nullcontext():
        loss.backward()
