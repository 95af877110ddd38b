#!/usr/bin/env python
import argparse
import socket

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def make_loader(n, batch, rank, world):
    x = torch.randn(n, 10)
    y = x[:, :3].sum(1, keepdim=True) + 0.1 * torch.randn(n, 1)
    data = TensorDataset(x, y)
    picker = DistributedSampler(data, num_replicas=world, rank=rank, shuffle=True, seed=17)
    return DataLoader(data, batch_size=batch, sampler=picker)


def validate(net, x, y):
    was = net.training
    net.eval()
    with torch.no_grad():
        mse = nn.functional.mse_loss(net(x), y)
    net.train(was)
    return mse


def worker(args):
    dist.init_process_group("gloo", init_method=f"tcp://127.0.0.1:{free_port()}", rank=args.rank, world_size=args.world)
    torch.manual_seed(0)
    train_loader = make_loader(120, 12, args.rank, args.world)
    vx = torch.randn(40, 10)
    vy = vx[:, :3].sum(1, keepdim=True)
    net = DDP(nn.Sequential(nn.Linear(10, 32), nn.SiLU(), nn.Dropout(0.05), nn.Linear(32, 1)))
    opt = torch.optim.Adam(net.parameters(), lr=args.lr)
    plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, patience=1)
    for epoch in range(args.epochs):
        for x, y in train_loader:
            opt.zero_grad(set_to_none=True)
            nn.functional.mse_loss(net(x), y).backward()
            opt.step()
        score = validate(net, vx, vy)
        dist.all_reduce(score)
        score /= args.world
        plateau.step(score)
        if args.rank == 0:
            print(f"{epoch:2d} val mse {score.item():.4f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--rank", type=int, default=0)
    p.add_argument("--world", type=int, default=1)
    p.add_argument("--epochs", type=int, default=4)
    p.add_argument("--lr", type=float, default=1e-2)
    worker(p.parse_args())
