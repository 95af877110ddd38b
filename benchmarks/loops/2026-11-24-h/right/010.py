import tempfile

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def average_gradients(module):
    size = float(dist.get_world_size())
    for p in module.parameters():
        if p.grad is None:
            continue
        dist.all_reduce(p.grad, op=dist.ReduceOp.SUM)
        p.grad /= size


def local_batches(rank, n, bs):
    g = torch.Generator().manual_seed(rank)
    w = torch.arange(5.0)
    for _ in range(n):
        x = torch.randn(bs, 5, generator=g)
        yield x, (x @ w).unsqueeze(1)


def run(rank, world_size, store):
    dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=world_size)
    torch.manual_seed(0)
    replica = DDP(nn.Sequential(nn.Linear(5, 10), nn.ReLU(), nn.Linear(10, 1)))
    opt = torch.optim.SGD(replica.parameters(), lr=0.01)
    parts = 2
    replica.train()
    for it, (x, y) in enumerate(local_batches(rank, 12, 16)):
        opt.zero_grad()
        with replica.no_sync():
            for px, py in zip(x.chunk(parts), y.chunk(parts)):
                loss = nn.functional.mse_loss(replica(px), py) / parts
                loss.backward()
        average_gradients(replica)
        nn.utils.clip_grad_norm_(replica.parameters(), 5.0)
        opt.step()
        if rank == 0 and it % 4 == 3:
            print(it + 1, loss.item() * parts)
    dist.destroy_process_group()


if __name__ == "__main__":
    run(0, 1, tempfile.mktemp())
