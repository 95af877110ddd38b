"""Endless epochs behind one iterator."""
import itertools
import os
import tempfile

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, Dataset
from torch.utils.data.distributed import DistributedSampler


class Parity(Dataset):
    def __len__(self):
        return 64

    def __getitem__(self, i):
        bits = torch.tensor([(i >> k) & 1 for k in range(6)], dtype=torch.float32)
        return bits, bits[:3].sum() % 2


def endless(loader):
    for lap in itertools.count():
        loader.sampler.set_epoch(lap)
        yield from loader


class Job:
    def __init__(self, steps, lr):
        self.loader = DataLoader(Parity(), batch_size=16, sampler=DistributedSampler(Parity(), shuffle=True, seed=2))
        self.net = DistributedDataParallel(nn.Sequential(nn.Linear(6, 32), nn.ReLU(), nn.Linear(32, 1)))
        self.opt = torch.optim.Adam(self.net.parameters(), lr=lr)
        self.steps = steps
        self.feed = endless(self.loader)

    def __call__(self):
        bce = nn.BCEWithLogitsLoss()
        for step in range(1, self.steps + 1):
            bits, odd = next(self.feed)
            self.opt.zero_grad()
            loss = bce(self.net(bits).squeeze(1), odd)
            loss.backward()
            self.opt.step()
            if step % 25 == 0 and dist.get_rank() == 0:
                print(f"step {step}: {loss.item():.4f}")


if __name__ == "__main__":
    dist.init_process_group(
        "gloo",
        init_method=f"file://{tempfile.mkdtemp()}/r",
        rank=int(os.environ.get("RANK", 0)),
        world_size=int(os.environ.get("WORLD_SIZE", 1)),
    )
    torch.manual_seed(0)
    Job(steps=100, lr=2e-2)()
    dist.destroy_process_group()
