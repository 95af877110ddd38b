import contextlib

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def setup():
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)


def run(epochs=2, accum=4):
    torch.manual_seed(40)
    model = DDP(nn.Sequential(nn.Linear(10, 24), nn.ReLU(), nn.Linear(24, 3)))
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    data = [(torch.randn(8, 10), torch.randint(0, 3, (8,))) for _ in range(10)]
    for epoch in range(epochs):
        opt.zero_grad()
        for i, (x, y) in enumerate(data):
            boundary = (i + 1) % accum == 0 or i + 1 == len(data)
            logits = model(x)
            loss = nn.functional.cross_entropy(logits, y) / accum
            ctx = contextlib.nullcontext() if boundary else model.no_sync()
            with ctx:
                loss.backward()
            if boundary:
                opt.step()
                opt.zero_grad()
        if dist.get_rank() == 0:
            print(epoch, loss.item() * accum)


if __name__ == "__main__":
    setup()
    run()
    dist.destroy_process_group()
