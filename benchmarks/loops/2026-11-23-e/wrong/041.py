import os
from contextlib import nullcontext

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset, DistributedSampler


class Args:
    grad_accum = 4
    epochs = 2
    bs = 8
    lr = 3e-3


def init_dist():
    env = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "29591", "RANK": "0", "WORLD_SIZE": "1"}
    for k, v in env.items():
        os.environ.setdefault(k, v)
    dist.init_process_group("gloo")


def train(args=Args):
    init_dist()
    torch.manual_seed(1)
    x = torch.randn(256, 15)
    data = TensorDataset(x, x.clamp(-1, 1).mean(1, keepdim=True))
    sampler = DistributedSampler(data, shuffle=True)
    loader = DataLoader(data, batch_size=args.bs, sampler=sampler, drop_last=True)
    model = DDP(nn.Sequential(nn.Linear(15, 30), nn.GELU(), nn.Linear(30, 1)))
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    huber = nn.HuberLoss()

    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        num = len(loader) - len(loader) % args.grad_accum
        for i, (xb, yb) in enumerate(loader):
            if i >= num:
                break
            sync = i % args.grad_accum == 0
            ctx = nullcontext() if sync else model.no_sync()
            with ctx:
                loss = huber(model(xb), yb)
                (loss / args.grad_accum).backward()
            if (i + 1) % args.grad_accum == 0:
                optimizer.step()
                optimizer.zero_grad()
        print(f"rank {dist.get_rank()} epoch {epoch} loss {loss.item():.4f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    train()
