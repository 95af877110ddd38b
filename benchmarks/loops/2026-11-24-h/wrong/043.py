import contextlib
import os
import tempfile

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP

WINDOW = 4


class Mixer(nn.Module):
    def __init__(self, patches=9, d=16, n_cls=4):
        super().__init__()
        self.tokens = nn.Linear(patches, patches)
        self.channels = nn.Sequential(nn.Linear(d, 2 * d), nn.GELU(), nn.Linear(2 * d, d))
        self.cls = nn.Linear(d, n_cls)

    def forward(self, x):
        x = x + self.tokens(x.transpose(1, 2)).transpose(1, 2)
        return self.cls((x + self.channels(x)).mean(1))


def stream(n_batches, rank):
    gen = torch.Generator().manual_seed(900 + rank)
    for _ in range(n_batches):
        y = torch.randint(0, 4, (6,), generator=gen)
        x = torch.randn(6, 9, 16, generator=gen) + y[:, None, None] * 0.5
        yield x, y


def run(rank, world_size):
    store = dist.FileStore(os.path.join(tempfile.mkdtemp(), "fs"), world_size)
    dist.init_process_group("gloo", store=store, rank=rank, world_size=world_size)
    torch.manual_seed(0)
    net = DDP(Mixer())
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=1e-2, total_steps=12)

    n = 0
    while n < 12 * WINDOW:
        for x, y in stream(16, rank):
            quiet = net.no_sync() if n % WINDOW else contextlib.nullcontext()
            with quiet:
                loss = nn.functional.cross_entropy(net(x), y)
                loss.div(WINDOW).backward()
            n += 1
            if n % WINDOW == 0:
                opt.step()
                sched.step()
                opt.zero_grad()
        if rank == 0:
            print(f"{n} micro-batches, loss {loss.item():.3f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    run(int(os.getenv("RANK", "0")), int(os.getenv("WORLD_SIZE", "1")))
