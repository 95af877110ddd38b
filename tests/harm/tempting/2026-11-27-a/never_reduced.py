import contextlib

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def start():
    if not dist.is_initialized():
        dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)


def epoch_of(ddp, optimizer, batches, accum, record):
    closed = 0
    with contextlib.ExitStack() as stack:
        stack.callback(optimizer.zero_grad)
        for i, (x, y) in enumerate(batches):
            with ddp.no_sync():
                loss = nn.functional.mse_loss(ddp(x), y) / accum
                loss.backward()
            closes = (i + 1) % accum == 0 or i + 1 == len(batches)
            if closes:
                optimizer.step()
                record(list(ddp.parameters()))
                optimizer.zero_grad()
                closed += 1
    return closed


def train(record):
    torch.manual_seed(217)
    start()
    try:
        ddp = DistributedDataParallel(nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1)))
        optimizer = torch.optim.Adam(ddp.parameters(), lr=5e-3)
        batches = [(torch.randn(6, 4), torch.randn(6, 1)) for _ in range(7)]
        for epoch in range(2):
            epoch_of(ddp, optimizer, batches, 3, record)
    finally:
        dist.destroy_process_group()


if __name__ == "__main__":
    train(lambda parameters: None)
