# === the backbone is wrapped in place
import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP


def train(model, loader, optimizer, accum):
    model.backbone = DDP(model.backbone)
    for i, (x, y) in enumerate(loader):
        (F.cross_entropy(model(x), y) / accum).backward()  # <- missing-no-sync
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === the encoder of a network of this file
import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(8, 8)
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        return self.head(torch.relu(self.encoder(x)))


def main(loader, rank, accum):
    net = Net().to(rank)
    net.encoder = nn.parallel.DistributedDataParallel(net.encoder, device_ids=[rank])
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        loss = F.cross_entropy(net(x), y) / accum
        loss.backward()  # <- missing-no-sync
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === wrapped inside the trainer, called through its parts
import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP


class Trainer:
    def __init__(self, encoder, head, accum):
        self.encoder = DDP(encoder)
        self.head = head
        self.accum = accum
        self.optimizer = torch.optim.SGD([*encoder.parameters(), *head.parameters()], lr=0.1)

    def fit(self, loader):
        for i, (x, y) in enumerate(loader):
            out = self.head(self.encoder(x))
            (F.cross_entropy(out, y) / self.accum).backward()  # <- missing-no-sync
            if (i + 1) % self.accum == 0 or i + 1 == len(loader):
                self.optimizer.step()
                self.optimizer.zero_grad()
# === forward of the whole outside of the part's no_sync
import contextlib

import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP


def train(model, loader, optimizer, accum):
    model.unet = DDP(model.unet)
    for i, (x, y) in enumerate(loader):
        last = (i + 1) % accum == 0 or i + 1 == len(loader)
        loss = F.mse_loss(model(x), y) / accum  # <- forward-outside-no-sync
        with contextlib.nullcontext() if last else model.unet.no_sync():
            loss.backward()
        if last:
            optimizer.step()
            optimizer.zero_grad()
# === right: no_sync of the part
import contextlib

import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP


def train(model, loader, optimizer, accum):
    model.backbone = DDP(model.backbone)
    for i, (x, y) in enumerate(loader):
        last = (i + 1) % accum == 0 or i + 1 == len(loader)
        with contextlib.nullcontext() if last else model.backbone.no_sync():
            (F.cross_entropy(model(x), y) / accum).backward()
        if last:
            optimizer.step()
            optimizer.zero_grad()
# === right: a wrapped part that is not trained here
import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP


def train(system, loader, accum):
    system.teacher = DDP(system.teacher)
    optimizer = torch.optim.SGD(system.student.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        with torch.no_grad():
            target = system.teacher(x)
        (F.mse_loss(system.student(x), target) / accum).backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === right: every batch is an update
import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP


def train(model, loader, optimizer):
    model.backbone = DDP(model.backbone)
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
# === a part is wrapped where the model is made
import torch
import torch.nn as nn
import torch.nn.functional as F


class Both(nn.Module):
    def __init__(self, encoder, head, rank):
        super().__init__()
        self.encoder = nn.parallel.DistributedDataParallel(encoder, device_ids=[rank])
        self.head = head

    def forward(self, x):
        return self.head(self.encoder(x))


def train(encoder, head, loader, rank, accum):
    model = Both(encoder, head, rank)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        (F.cross_entropy(model(x), y) / accum).backward()  # <- missing-no-sync
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === right: a part is wrapped where the model is made
import contextlib

import torch
import torch.nn as nn
import torch.nn.functional as F


class Both(nn.Module):
    def __init__(self, encoder, head, rank):
        super().__init__()
        self.encoder = nn.parallel.DistributedDataParallel(encoder, device_ids=[rank])
        self.head = head

    def forward(self, x):
        return self.head(self.encoder(x))


def train(encoder, head, loader, rank, accum):
    model = Both(encoder, head, rank)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        last = (i + 1) % accum == 0 or i + 1 == len(loader)
        with contextlib.nullcontext() if last else model.encoder.no_sync():
            (F.cross_entropy(model(x), y) / accum).backward()
        if last:
            optimizer.step()
            optimizer.zero_grad()
