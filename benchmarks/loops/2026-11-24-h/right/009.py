import os
from contextlib import nullcontext

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def init():
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29709")
    dist.init_process_group("gloo", rank=int(os.environ.get("RANK", 0)), world_size=int(os.environ.get("WORLD_SIZE", 1)))


class Runner:
    def __init__(self, core, data, accumulate):
        self.model = DDP(core)
        self.sampler = DistributedSampler(data, shuffle=True)
        self.loader = DataLoader(data, batch_size=6, sampler=self.sampler)
        self.accumulate = accumulate
        self.optim = torch.optim.AdamW(self.model.parameters(), lr=1e-3)

    def closes_window(self, i):
        return (i + 1) % self.accumulate == 0 or (i + 1) == len(self.loader)

    def micro(self, batch):
        x, y = batch
        loss = nn.functional.cross_entropy(self.model(x), y)
        (loss / self.accumulate).backward()
        return loss.item()

    def epoch(self, e):
        self.sampler.set_epoch(e)
        self.model.train()
        for i, batch in enumerate(self.loader):
            boundary = self.closes_window(i)
            with nullcontext() if boundary else self.model.no_sync():
                value = self.micro(batch)
            if not boundary:
                continue
            self.optim.step()
            self.optim.zero_grad()
        return value


if __name__ == "__main__":
    init()
    torch.manual_seed(0)
    r = Runner(nn.Linear(8, 3), TensorDataset(torch.randn(64, 8), torch.randint(0, 3, (64,))), accumulate=4)
    for e in range(2):
        print(e, r.epoch(e))
    dist.destroy_process_group()
