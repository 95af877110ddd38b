import os
from contextlib import nullcontext

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP

from flow.data import sintel_batches
from flow.raft import RAFT, sequence_loss


def train(rank, world, total=120_000, pieces=2, lr=1.25e-4):
    torch.cuda.set_device(rank)
    net = DDP(RAFT().to(rank), device_ids=[rank])
    optimizer = torch.optim.AdamW(net.parameters(), lr=lr, weight_decay=1e-5)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, lr, total_steps=total + 100, pct_start=0.05)
    net.train()
    history = []
    for step, (first, second, flow, valid) in enumerate(sintel_batches(rank, world, total)):
        optimizer.zero_grad()
        parts = list(zip(*(t.to(rank).chunk(pieces) for t in (first, second, flow, valid))))
        for k, (a, b, target, ok) in enumerate(parts):
            loss = sequence_loss(net(a, b, iters=12), target, ok)
            with net.no_sync() if k + 1 < len(parts) else nullcontext():
                (loss / len(parts)).backward()
            history.append(loss)
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        if rank == 0 and step % 100 == 99:
            print(step + 1, sum(h.item() for h in history[-100 * pieces :]) / (100 * pieces))
    if rank == 0:
        torch.save(net.module.state_dict(), "raft.pth")


if __name__ == "__main__":
    dist.init_process_group("nccl")
    train(int(os.environ["LOCAL_RANK"]), dist.get_world_size())
    dist.destroy_process_group()
