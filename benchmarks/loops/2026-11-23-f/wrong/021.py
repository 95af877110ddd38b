import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def window(ddp, batches, loss_fn):
    total = 0.0
    with ddp.no_sync():
        for x, y in batches:
            loss = loss_fn(ddp(x), y) / len(batches)
            loss.backward()
            total += loss.item()
    return total


def main():
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29823")
    rank, world = int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))
    dist.init_process_group("gloo", rank=rank, world_size=world)
    ddp = DDP(nn.Sequential(nn.Linear(5, 10), nn.Tanh(), nn.Linear(10, 2)))
    opt = torch.optim.SGD(ddp.parameters(), lr=0.1)
    g = torch.Generator().manual_seed(rank)
    for it in range(10):
        batches = []
        for _ in range(3):
            x = torch.randn(8, 5, generator=g)
            batches.append((x, (x.sum(1) > 0).long()))
        opt.zero_grad()
        value = window(ddp, batches, nn.CrossEntropyLoss())
        opt.step()
        if rank == 0 and it % 3 == 0:
            print(it, value)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
