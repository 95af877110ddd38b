import os

import torch
import torch.distributed as dist
from torch import nn


def average_gradients(net):
    world = dist.get_world_size()
    for p in net.parameters():
        dist.all_reduce(p.grad, op=dist.ReduceOp.SUM)
        p.grad.div_(world)


def main():
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29851")
    rank, world = int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))
    dist.init_process_group("gloo", rank=rank, world_size=world)
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.05)
    gen = torch.Generator().manual_seed(1000 + rank)
    accum = 2
    for it in range(12):
        opt.zero_grad()
        for _ in range(accum):
            x = torch.randn(8, 4, generator=gen)
            loss = nn.functional.mse_loss(net(x), x.sum(1, keepdim=True)) / accum
            loss.backward()
        average_gradients(net)
        opt.step()
        if rank == 0 and it % 4 == 0:
            print(it, loss.item() * accum)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
