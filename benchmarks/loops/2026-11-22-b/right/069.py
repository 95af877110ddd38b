import os
from contextlib import nullcontext
from dataclasses import dataclass

import torch
from torch.distributed import init_process_group
from torch.nn.parallel import DistributedDataParallel as DDP

from music.data import get_batch
from music.model import EventTransformer


@dataclass
class Settings:
    accum: int = 32
    lr: float = 6e-4
    clip: float = 1.0
    iters: int = 100_000
    dtype: str = "float16"


def build(settings):
    ddp = "RANK" in os.environ
    local = int(os.environ.get("LOCAL_RANK", 0))
    if ddp:
        init_process_group("nccl")
        torch.cuda.set_device(local)
    model = EventTransformer().cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=settings.lr, betas=(0.9, 0.95))
    model = torch.compile(model)
    return (DDP(model, device_ids=[local]) if ddp else model), optimizer, ddp


def main(settings=Settings()):
    model, optimizer, ddp = build(settings)
    ptdtype = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}[settings.dtype]
    ctx = nullcontext() if settings.dtype == "float32" else torch.autocast("cuda", dtype=ptdtype)
    scaler = torch.amp.GradScaler("cuda", enabled=settings.dtype == "float16")
    x, y = get_batch("train")
    for it in range(settings.iters):
        for micro in range(settings.accum):
            if ddp:
                model.require_backward_grad_sync = micro == settings.accum - 1
            with ctx:
                _, loss = model(x, y)
                loss = loss / settings.accum
            x, y = get_batch("train")
            scaler.scale(loss).backward()
        if settings.clip:
            scaler.unscale_(optimizer)
            torch.nn.utils.clip_grad_norm_(model.parameters(), settings.clip)
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad(set_to_none=True)
        if it % 100 == 0:
            print(it, loss.item() * settings.accum)


if __name__ == "__main__":
    main()
