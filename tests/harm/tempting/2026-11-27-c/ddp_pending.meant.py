from contextlib import nullcontext

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


class Ranker(nn.Module):
    def __init__(self):
        super().__init__()
        self.score = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 1))

    def forward(self, pairs):
        return self.score(pairs).squeeze(-1)


def pairwise(scores):
    return nn.functional.softplus(scores[:, 1] - scores[:, 0]).mean()


def work(record, accum=3, epochs=2):
    torch.manual_seed(58)
    ddp = DistributedDataParallel(Ranker())
    opt = torch.optim.Adam(ddp.parameters(), lr=5e-3)
    data = [torch.randn(10, 2, 6) for _ in range(8)]
    for epoch in range(epochs):
        pending, remaining = 0, len(data)
        for pairs in data:
            pending += 1
            remaining -= 1
            close = pending == accum or remaining == 0
            with nullcontext() if close else ddp.no_sync():
                scores = ddp(pairs)
                loss = pairwise(scores)
                (loss / accum).backward()
            if close:
                opt.step()
                record(list(ddp.module.parameters()))
                opt.zero_grad()
                pending = 0


def train(record):
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    try:
        work(record)
    finally:
        dist.destroy_process_group()


if __name__ == "__main__":
    train(lambda parameters: None)
