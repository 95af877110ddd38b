# === a window of a network in MMCV's wrapper, which is torch's with two methods more
import torch
from mmcv.parallel import MMDistributedDataParallel


def train(net, loader, steps):
    model = MMDistributedDataParallel(net, device_ids=[torch.cuda.current_device()], broadcast_buffers=False)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    for i, samples in enumerate(loader):
        losses = model(**samples)
        loss = sum(losses.values()) / steps
        loss.backward()  # <- missing-no-sync
        if (i + 1) % steps == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()


# === so is MMEngine's
import torch
from mmengine.model import MMDistributedDataParallel as Parallel


def train(net, loader, steps):
    model = Parallel(net)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    for i, samples in enumerate(loader):
        loss = model(**samples)["loss"] / steps
        loss.backward()  # <- missing-no-sync
        if (i + 1) % steps == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()


# === right: MMCV's wrapper waits like torch's
import contextlib

import torch
from mmcv.parallel import MMDistributedDataParallel


def train(net, loader, steps):
    model = MMDistributedDataParallel(net)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    for i, samples in enumerate(loader):
        last = (i + 1) % steps == 0 or i + 1 == len(loader)
        with contextlib.nullcontext() if last else model.no_sync():
            loss = sum(model(**samples).values()) / steps
            loss.backward()
        if last:
            optimizer.step()
            optimizer.zero_grad()


# === right: MMEngine's wrapper of each network in it steps by itself, and has another way to wait
import torch
from mmengine.model import MMSeparateDistributedDataParallel


def train(net, loader, steps):
    model = MMSeparateDistributedDataParallel(net, False)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    for i, samples in enumerate(loader):
        loss = model(**samples)["loss"] / steps
        loss.backward()
        if (i + 1) % steps == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()


# === right: a wrapper of that name in the file itself is what it does
import torch
import torch.distributed as dist


class MMDistributedDataParallel(torch.nn.Module):
    def __init__(self, module):
        super().__init__()
        self.module = module

    def average(self):
        for p in self.module.parameters():
            dist.all_reduce(p.grad)

    def forward(self, x):
        return self.module(x)


def train(net, loader, steps):
    model = MMDistributedDataParallel(net)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    for i, x in enumerate(loader):
        loss = model(x).mean() / steps
        loss.backward()
        if (i + 1) % steps == 0 or i + 1 == len(loader):
            model.average()
            optimizer.step()
            optimizer.zero_grad()
