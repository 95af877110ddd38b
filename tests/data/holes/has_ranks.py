# === the epoch is told where there are several processes, as a later question says once more
import torch.distributed as dist
from torch import nn, optim
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


def main(model, data, args):
    if args.distributed:
        dist.init_process_group("nccl")
    sampler = DistributedSampler(data, seed=1) if args.distributed else None
    loader = DataLoader(data, sampler=sampler, shuffle=sampler is None)
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(args.epochs):
        if args.distributed and dist.is_available():
            sampler.set_epoch(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
# === the same, and it is told to nobody
import torch.distributed as dist
from torch import nn, optim
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


def main(model, data, args):
    if args.distributed:
        dist.init_process_group("nccl")
    sampler = DistributedSampler(data, seed=1) if args.distributed else None
    loader = DataLoader(data, sampler=sampler, shuffle=sampler is None)
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(args.epochs):  # <- missing-set-epoch
        if args.distributed and dist.is_available():
            print(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
# === a model is wrapped where there are several processes, in the words of torch
import torch
from torch import nn, optim


def main(model, loader, args):
    if torch.distributed.is_available() and args.ranks > 1:
        model = nn.parallel.DistributedDataParallel(model)
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        loss = nn.functional.cross_entropy(model(x), y) / args.accum
        loss.backward()  # <- missing-no-sync
        if (i + 1) % args.accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === the graphics card may be there or not
import torch
from torch import nn, optim


def main(model, loader):
    scaler = torch.amp.GradScaler() if torch.cuda.is_available() else None
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        if scaler is None:
            loss.backward()
            optimizer.step()
        else:
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
