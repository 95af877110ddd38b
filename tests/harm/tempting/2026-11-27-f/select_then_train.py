from contextlib import nullcontext

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def hardest(losses, keep):
    return losses.topk(min(keep, len(losses))).indices.sort().values


def run(net, x, y, record, window=20, keep=6, epochs=3):
    model = DDP(net)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.2)
    criterion = nn.CrossEntropyLoss(reduction="none")
    for epoch in range(epochs):
        collected, updates = 0, 0
        optimizer.zero_grad()
        order = torch.randperm(len(x))
        for rows in order.split(9):
            with torch.no_grad():
                scored = criterion(model(x[rows]), y[rows])
            chosen = rows[hardest(scored, keep)]
            collected += len(chosen)
            closes = collected >= window or rows[-1] == order[-1]
            with nullcontext() if closes else model.no_sync():
                loss = criterion(model(x[chosen]), y[chosen]).sum() / window
                loss.backward()
            if closes:
                optimizer.step()
                optimizer.zero_grad()
                record(list(model.parameters()))
                collected = 0
                updates += 1
        print(epoch, updates, scored.mean().item())


def train(record):
    torch.manual_seed(608)
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    try:
        x = torch.randn(84, 5)
        y = (x.prod(1) > 0).long()
        run(nn.Sequential(nn.Linear(5, 20), nn.ReLU(), nn.Linear(20, 2)), x, y, record)
    finally:
        dist.destroy_process_group()


if __name__ == "__main__":
    train(lambda parameters: None)
