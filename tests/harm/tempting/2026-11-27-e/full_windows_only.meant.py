from contextlib import nullcontext

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.optim.lr_scheduler import StepLR


def make_batches(count):
    batches = []
    for _ in range(count):
        x = torch.randn(6, 4)
        batches.append((x, x.square().sum(1, keepdim=True).sqrt()))
    return batches


def run(net, batches, record, epochs=2, accum=4):
    model = DDP(net)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    schedule = StepLR(optimizer, step_size=2, gamma=0.5)
    optimizer.zero_grad()
    for epoch in range(epochs):
        for i, (x, y) in enumerate(batches):
            full = (i + 1) % accum == 0
            with nullcontext() if full or i + 1 == len(batches) else model.no_sync():
                loss = nn.functional.mse_loss(model(x), y)
                (loss / accum).backward()
            if full or i + 1 == len(batches):
                optimizer.step()
                optimizer.zero_grad()
                record(list(model.parameters()))
            if full:
                schedule.step()
        print(epoch, round(loss.item(), 4), schedule.get_last_lr())


def train(record):
    torch.manual_seed(58)
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    try:
        net = nn.Sequential(nn.Linear(4, 12), nn.ReLU(), nn.Linear(12, 1))
        run(net, make_batches(10), record)
    finally:
        dist.destroy_process_group()


if __name__ == "__main__":
    train(lambda parameters: None)
