from contextlib import nullcontext

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

CHUNKS = 4


def info_nce(z, temperature=0.2):
    a, b = F.normalize(z, dim=1).chunk(2)
    logits = a @ b.t() / temperature
    return F.cross_entropy(logits, torch.arange(len(a)))


def embed(ddp, pieces):
    with torch.no_grad():
        return torch.cat([ddp(piece) for piece in pieces])


def update(ddp, views, optimizer):
    pieces = views.chunk(CHUNKS)
    cached = embed(ddp, pieces).requires_grad_()
    loss = info_nce(cached)
    (slopes,) = torch.autograd.grad(loss, cached)
    optimizer.zero_grad()
    for k, (piece, slope) in enumerate(zip(pieces, slopes.chunk(CHUNKS))):
        with nullcontext() if k == CHUNKS - 1 else ddp.no_sync():
            surrogate = (ddp(piece) * slope).sum()
            surrogate.backward()
    optimizer.step()
    return loss.item()


def train(record):
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    try:
        torch.manual_seed(10)
        base = torch.randn(6, 16, 8)
        net = nn.Sequential(nn.Linear(8, 24), nn.ReLU(), nn.Linear(24, 6))
        ddp = DDP(net)
        optimizer = torch.optim.SGD(ddp.parameters(), lr=0.1, momentum=0.9)
        for epoch in range(3):
            for x in base:
                views = torch.cat([x + 0.1 * torch.randn_like(x) for _ in range(2)])
                update(ddp, views, optimizer)
                record(list(ddp.parameters()))
    finally:
        dist.destroy_process_group()


if __name__ == "__main__":
    train(lambda parameters: None)
