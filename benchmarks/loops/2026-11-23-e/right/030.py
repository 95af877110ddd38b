"""Gradients are reduced once per window with one flat all-reduce."""
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def setup():
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29730")
    rank = int(os.environ.setdefault("RANK", "0"))
    world = int(os.environ.setdefault("WORLD_SIZE", "1"))
    dist.init_process_group("gloo")
    return rank, world


@torch.no_grad()
def average_gradients(params, world_size):
    grads = [p.grad for p in params if p.grad is not None]
    flat = torch.cat([g.flatten() for g in grads])
    dist.all_reduce(flat, op=dist.ReduceOp.SUM)
    flat.div_(world_size)
    for g, f in zip(grads, flat.split([g.numel() for g in grads])):
        g.copy_(f.view_as(g))


class Conv(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Conv1d(1, 8, 5), nn.ReLU(), nn.Conv1d(8, 8, 5), nn.ReLU())
        self.fc = nn.Linear(8, 3)

    def forward(self, x):
        return self.fc(self.net(x).amax(-1))


def pulses(n, gen):
    y = torch.randint(0, 3, (n,), generator=gen)
    x = 0.3 * torch.randn(n, 1, 20, generator=gen)
    for i, k in enumerate(y.tolist()):
        x[i, 0, 8:8 + 2 * (k + 1)] += 1.0
    return x, y


def main(updates=12, micro=3):
    rank, world = setup()
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(rank)
    model = DDP(Conv())
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    params = list(model.parameters())

    for u in range(updates):
        with model.no_sync():
            for _ in range(micro):
                x, y = pulses(12, gen)
                loss = nn.functional.cross_entropy(model(x), y)
                (loss / micro).backward()
        average_gradients(params, world)
        nn.utils.clip_grad_norm_(params, 1.0)
        optimizer.step()
        optimizer.zero_grad()
        if rank == 0 and u % 4 == 0:
            print(u, loss.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
