import contextlib
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def init():
    os.environ.setdefault("MASTER_ADDR", "localhost")
    os.environ.setdefault("MASTER_PORT", "29631")
    os.environ.setdefault("RANK", "0")
    os.environ.setdefault("WORLD_SIZE", "1")
    dist.init_process_group("gloo")


def main():
    init()
    torch.manual_seed(100 + dist.get_rank())
    ddp = DistributedDataParallel(nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 2)))
    opt = torch.optim.AdamW(ddp.parameters(), lr=1e-3)
    lossf = nn.CrossEntropyLoss()
    K = 4
    for it in range(24):
        x = torch.randn(16, 8)
        y = (x.mean(1) > 0).long()
        last = (it + 1) % K == 0
        out = ddp(x)
        loss = lossf(out, y) / K
        with contextlib.nullcontext() if last else ddp.no_sync():
            loss.backward()
        if last:
            opt.step()
            opt.zero_grad()
    if dist.get_rank() == 0:
        print("done", loss.item() * K)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
