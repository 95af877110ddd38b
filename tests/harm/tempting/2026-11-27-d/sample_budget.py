from contextlib import nullcontext

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel

BUDGET = 24


def ragged(sizes):
    return [torch.randn(size, 5) for size in sizes]


def epoch(ddp, batches, optimizer, record):
    seen, boundary = 0, False
    for i, x in enumerate(batches):
        with nullcontext() if boundary else ddp.no_sync():
            y = x.square().mean(1, keepdim=True)
            loss = F.mse_loss(ddp(x), y, reduction="sum") / BUDGET
            loss.backward()
        seen += len(x)
        boundary = seen >= BUDGET or i + 1 == len(batches)
        if boundary:
            optimizer.step()
            record(list(ddp.parameters()))
            optimizer.zero_grad()
            seen = 0


def train(record):
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    try:
        torch.manual_seed(47)
        batches = ragged([8, 10, 12, 6, 6, 6, 12, 4, 16, 10, 9, 7])
        ddp = DistributedDataParallel(nn.Sequential(nn.Linear(5, 12), nn.Tanh(), nn.Linear(12, 1)))
        optimizer = torch.optim.SGD(ddp.parameters(), lr=0.1)
        for _ in range(3):
            epoch(ddp, batches, optimizer, record)
    finally:
        dist.destroy_process_group()


if __name__ == "__main__":
    train(lambda parameters: None)
