# === an attribute that is off, and set to what the environment says, is open
import os

import torch
from torch.nn.parallel import DistributedDataParallel


def train(cfg, model, optimizer, loader):
    cfg.distributed = False
    if "WORLD_SIZE" in os.environ:
        cfg.distributed = int(os.environ["WORLD_SIZE"]) > 1
    if cfg.distributed:
        model = DistributedDataParallel(model, device_ids=[cfg.local_rank])
    for epoch in range(cfg.epochs):
        for i, batch in enumerate(loader):
            loss = model(batch).mean() / cfg.accum
            loss.backward()  # <- missing-no-sync
            if (i + 1) % cfg.accum == 0 or i + 1 == len(loader):
                optimizer.step()
                optimizer.zero_grad()


# === the same, synchronised once
import os
from contextlib import nullcontext

import torch
from torch.nn.parallel import DistributedDataParallel


def train(cfg, model, optimizer, loader):
    cfg.distributed = False
    if "WORLD_SIZE" in os.environ:
        cfg.distributed = int(os.environ["WORLD_SIZE"]) > 1
    if cfg.distributed:
        model = DistributedDataParallel(model, device_ids=[cfg.local_rank])
    for epoch in range(cfg.epochs):
        for i, batch in enumerate(loader):
            last = (i + 1) % cfg.accum == 0 or i + 1 == len(loader)
            with nullcontext() if last or not cfg.distributed else model.no_sync():
                loss = model(batch).mean() / cfg.accum
                loss.backward()
            if last:
                optimizer.step()
                optimizer.zero_grad()
