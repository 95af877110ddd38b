import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def main(accum=4, iters=25):
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29879")
    rank = int(os.environ.get("RANK", 0))
    dist.init_process_group("gloo", rank=rank, world_size=int(os.environ.get("WORLD_SIZE", 1)))
    torch.manual_seed(rank)
    net = DistributedDataParallel(nn.Sequential(nn.Linear(7, 14), nn.ReLU(), nn.Linear(14, 3)))
    opt = torch.optim.AdamW(net.parameters(), lr=1e-3)
    opt.zero_grad()
    for i in range(iters):
        x = torch.randn(12, 7)
        loss = nn.functional.cross_entropy(net(x), x[:, :3].argmax(1))
        (loss / accum).backward()
        if i % accum == 0:
            opt.step()
            opt.zero_grad()
        if rank == 0 and i % 8 == 0:
            print(i, loss.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
