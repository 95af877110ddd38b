import contextlib
import tempfile

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def train(ddp, teacher, batches, opt, accum):
    opt.zero_grad()
    for n, x in enumerate(batches, start=1):
        with torch.no_grad():
            goal = teacher(x)
        last = n % accum == 0 or n == len(batches)
        gate = contextlib.nullcontext if last else ddp.no_sync
        with gate():
            loss = nn.functional.mse_loss(ddp(x), goal)
            (loss / accum).backward()
        if last:
            nn.utils.clip_grad_norm_(ddp.parameters(), 1.0)
            opt.step()
            opt.zero_grad()
    return loss.item()


def main():
    with tempfile.NamedTemporaryFile() as f:
        dist.init_process_group("gloo", store=dist.FileStore(f.name, 1), rank=0, world_size=1)
        torch.manual_seed(155)
        teacher = nn.Sequential(nn.Linear(8, 40), nn.Tanh(), nn.Linear(40, 2)).eval()
        student = DDP(nn.Sequential(nn.Linear(8, 10), nn.Tanh(), nn.Linear(10, 2)))
        opt = torch.optim.Adam(student.parameters(), lr=5e-3)
        batches = [torch.randn(16, 8) for _ in range(14)]
        for epoch in range(3):
            print(epoch, train(student, teacher, batches, opt, accum=4))
        dist.destroy_process_group()


main()
