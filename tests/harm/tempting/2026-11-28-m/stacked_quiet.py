"""DDP with windows: the quiet of the first micro-batches ends before the last."""
from contextlib import ExitStack

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

PARTS = 3


def update(model, opt, parts):
    opt.zero_grad()
    with ExitStack() as quiet:
        quiet.enter_context(model.no_sync())
        for k, (x, y) in enumerate(parts):
            if k == len(parts) - 1:
                quiet.close()
            loss = nn.functional.mse_loss(model(x), y)
            (loss / len(parts)).backward()
    opt.step()


def train(record):
    torch.manual_seed(47)
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    try:
        model = DistributedDataParallel(nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1)))
        opt = torch.optim.SGD(model.parameters(), lr=0.1)
        for _ in range(6):
            parts = []
            for _ in range(PARTS):
                x = torch.randn(5, 4)
                parts.append((x, x.max(1, keepdim=True).values))
            update(model, opt, parts)
            record(list(model.parameters()))
    finally:
        dist.destroy_process_group()


if __name__ == "__main__":
    train(lambda parameters: None)
