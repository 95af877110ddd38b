# === DDP where a launcher elsewhere says how many processes there are
import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel


def one_epoch(model, optimizer, loader, accum, world_size=None):
    ddp = True if world_size else False
    for i, (x, y) in enumerate(loader):
        loss = F.cross_entropy(model(x), y) / accum
        loss.backward()  # <- missing-no-sync
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
        if ddp:
            torch.distributed.barrier()


def train_model(args, rank=None, world_size=None):
    ddp = True if world_size else False
    model, loader = build(args)
    if ddp:
        model = DistributedDataParallel(model, device_ids=[rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(args.epochs):
        one_epoch(model, optimizer, loader, args.accum, world_size)


if __name__ == "__main__":
    train_model(parse())
# === right: a launcher elsewhere says how many processes there are
import contextlib

import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel


def one_epoch(model, optimizer, loader, accum, world_size=None):
    for i, (x, y) in enumerate(loader):
        last = (i + 1) % accum == 0 or i + 1 == len(loader)
        with model.no_sync() if world_size and not last else contextlib.nullcontext():
            loss = F.cross_entropy(model(x), y) / accum
            loss.backward()
        if last:
            optimizer.step()
            optimizer.zero_grad()


def train_model(args, rank=None, world_size=None):
    model, loader = build(args)
    if world_size:
        model = DistributedDataParallel(model, device_ids=[rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(args.epochs):
        one_epoch(model, optimizer, loader, args.accum, world_size)


if __name__ == "__main__":
    train_model(parse())
# === right: one process only
import torch
import torch.nn.functional as F


def one_epoch(model, optimizer, loader, accum, world_size=1):
    for i, (x, y) in enumerate(loader):
        loss = F.cross_entropy(model(x), y) / (accum * world_size) * world_size
        loss.backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()


def train_model(model, loader, accum):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    one_epoch(model, optimizer, loader, accum)
