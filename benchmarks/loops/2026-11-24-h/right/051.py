import os
import tempfile

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

CHUNK = 3


def flat_average(params, world):
    grads = [p.grad for p in params]
    flat = torch._utils._flatten_dense_tensors(grads)
    dist.all_reduce(flat)
    flat.div_(world)
    for g, new in zip(grads, torch._utils._unflatten_dense_tensors(flat, grads)):
        g.copy_(new)


def rank_data(rank, n):
    gen = torch.Generator().manual_seed(50 + rank)
    x = torch.randn(n, 7, generator=gen)
    return x, (x[:, :1] - 2 * x[:, 1:2])


def main():
    rank, world = int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1"))
    dist.init_process_group("gloo", init_method="file://" + tempfile.mktemp(), rank=rank, world_size=world)
    torch.manual_seed(0)
    net = DDP(nn.Sequential(nn.Linear(7, 20), nn.Softplus(), nn.Linear(20, 1)))
    params = [p for p in net.parameters() if p.requires_grad]
    opt = torch.optim.SGD(params, lr=0.01, momentum=0.9)
    x, y = rank_data(rank, 144)
    for epoch in range(4):
        g = torch.Generator().manual_seed(epoch)
        parts = torch.randperm(144, generator=g).split(12)
        for start in range(0, len(parts), CHUNK):
            opt.zero_grad()
            with net.no_sync():
                for part in parts[start:start + CHUNK]:
                    loss = nn.functional.mse_loss(net(x[part]), y[part])
                    (loss / CHUNK).backward()
            flat_average(params, world)
            nn.utils.clip_grad_norm_(params, 5.0)
            opt.step()
        if not rank:
            print(f"epoch {epoch}: {loss.item():.4f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
