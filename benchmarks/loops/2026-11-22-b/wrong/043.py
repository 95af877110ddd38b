import os
import time

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP

from protein.config import TrainConfig
from protein.data import stream_sequences
from protein.model import ESMLike


def accumulate(model, batches, n, ctx):
    total = 0.0
    for micro in range(n):
        model.require_backward_grad_sync = micro == n
        tokens, targets = next(batches)
        with ctx:
            loss = model(tokens, targets) / n
        loss.backward()
        total += loss.item()
    return total


def set_lr(optimizer, cfg, step):
    scale = min(1.0, (step + 1) / cfg.warmup)
    for group in optimizer.param_groups:
        group["lr"] = cfg.lr * scale


def main():
    cfg = TrainConfig.from_env()
    dist.init_process_group("nccl")
    rank, local = dist.get_rank(), int(os.environ["LOCAL_RANK"])
    device = torch.device("cuda", local)
    torch.cuda.set_device(device)
    torch.manual_seed(cfg.seed + rank)

    model = DDP(ESMLike(cfg.arch).to(device), device_ids=[local])
    optimizer = torch.optim.AdamW(model.parameters(), lr=cfg.lr, betas=(0.9, 0.98), weight_decay=0.01)
    batches = stream_sequences(cfg.shards, rank, dist.get_world_size(), device)
    ctx = torch.autocast("cuda", dtype=torch.bfloat16)
    start = time.time()

    model.train()
    for step in range(cfg.max_steps):
        set_lr(optimizer, cfg, step)
        optimizer.zero_grad(set_to_none=True)
        loss = accumulate(model, batches, cfg.accum, ctx)
        torch.nn.utils.clip_grad_norm_(model.parameters(), cfg.max_norm)
        optimizer.step()
        if rank == 0 and step % cfg.log_every == 0:
            rate = (step + 1) * cfg.tokens_per_update / (time.time() - start)
            print(f"{step} loss {loss:.4f} {rate:.0f} tok/s")
        if rank == 0 and step % cfg.save_every == 0 and step:
            torch.save({"model": model.module.state_dict(), "step": step}, cfg.out / f"{step}.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
