"""Sharpness-aware minimisation: the ascent is local, the descent is averaged."""
import torch
import torch.distributed as dist
from torch import nn
from torch.nn import functional as F
from torch.nn.parallel import DistributedDataParallel as DDP

RHO = 0.05


@torch.no_grad()
def climb(params):
    norm = torch.stack([p.grad.norm() for p in params]).norm() + 1e-12
    moves = [p.grad * (RHO / norm) for p in params]
    for p, move in zip(params, moves):
        p.add_(move)
    return moves


@torch.no_grad()
def descend(params, moves):
    for p, move in zip(params, moves):
        p.sub_(move)


def train(record):
    torch.manual_seed(15)
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    model = DDP(nn.Sequential(nn.Linear(5, 14), nn.GELU(), nn.Linear(14, 3)))
    params = list(model.parameters())
    optimizer = torch.optim.SGD(params, lr=0.1, momentum=0.9)
    for _ in range(18):
        x = torch.randn(24, 5)
        y = x[:, :3].argmax(1)
        with model.no_sync():
            F.cross_entropy(model(x), y).backward()
        moves = climb(params)
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        descend(params, moves)
        optimizer.step()
        optimizer.zero_grad()
        record(params)
    dist.destroy_process_group()


if __name__ == "__main__":
    train(lambda parameters: None)
