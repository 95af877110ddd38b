import contextlib

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

TARGET = 20
SIZES = (6, 4, 10, 8, 12)


def ragged(x, y):
    at, turn = 0, 0
    while at < len(x):
        size = SIZES[turn % len(SIZES)]
        yield x[at : at + size], y[at : at + size]
        at += size
        turn += 1


def work(x, y, record):
    ddp = DistributedDataParallel(nn.Sequential(nn.Linear(4, 12), nn.ReLU(), nn.Linear(12, 3)))
    opt = torch.optim.AdamW(ddp.parameters(), lr=0.02)
    for epoch in range(3):
        seen, hits = 0, 0
        opt.zero_grad()
        for inputs, labels in ragged(x, y):
            logits = ddp(inputs)
            seen += len(inputs)
            last = seen == TARGET
            with contextlib.nullcontext() if last else ddp.no_sync():
                loss = nn.functional.cross_entropy(logits, labels, reduction="sum") / TARGET
                loss.backward()
            hits += (logits.argmax(1) == labels).sum().item()
            if last:
                opt.step()
                opt.zero_grad()
                record(list(ddp.parameters()))
                seen = 0
        print(epoch, hits / len(x))


def train(record):
    torch.manual_seed(649)
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    try:
        x = torch.randn(80, 4)
        work(x, x[:, 1:].argmax(1), record)
    finally:
        dist.destroy_process_group()


if __name__ == "__main__":
    train(lambda parameters: None)
