import os
from contextlib import nullcontext

import torch
from torch.distributed import destroy_process_group, init_process_group
from torch.nn.parallel import DistributedDataParallel as DDP

from code_lm.loader import Shards
from code_lm.model import Config, Transformer

precision = "bf16"
pieces = 32
updates = 50_000
max_norm = 1.0

distributed = "RANK" in os.environ
rank, world, local = (int(os.environ.get(k, d)) for k, d in (("RANK", 0), ("WORLD_SIZE", 1), ("LOCAL_RANK", 0)))
device = torch.device("cuda", local)
torch.cuda.set_device(device)
if distributed:
    init_process_group(backend="nccl")
    pieces //= world

dtypes = {"bf16": torch.bfloat16, "fp16": torch.float16}
cast = torch.autocast("cuda", dtype=dtypes[precision]) if precision in dtypes else nullcontext()
scaler = torch.amp.GradScaler("cuda", enabled=precision == "fp16")
shards = Shards("train", rank, world)
model = Transformer(Config()).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=6e-4, betas=(0.9, 0.95), weight_decay=0.1)
if distributed:
    model = DDP(model, device_ids=[local])

for update in range(updates):
    for piece in range(pieces):
        if distributed:
            model.require_backward_grad_sync = piece == pieces - 1
        source, target = shards.draw(device)
        with cast:
            loss = model(source, target) / pieces
        scaler.scale(loss).backward()
    if max_norm > 0:
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad(set_to_none=True)
    if update % 100 == 0 and rank == 0:
        print(f"{update} {loss.item() * pieces:.4f}")

if distributed:
    destroy_process_group()
