# === a network around DDP that passes on what it has not, and only the backward inside no_sync
import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Whole(nn.Module):
    def __init__(self, module):
        super().__init__()
        self.module = module

    def __getattr__(self, name):
        try:
            return super().__getattr__(name)
        except AttributeError:
            return getattr(self.module, name)

    def forward(self, *args):
        return self.module(*args)


def train(net, loader, n):
    model = Whole(DDP(net))
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        loss = nn.functional.mse_loss(model(x), y) / n  # <- forward-outside-no-sync
        if (i + 1) % n:
            with model.no_sync():
                loss.backward()
            continue
        loss.backward()
        opt.step()
        opt.zero_grad()

# === forward and backward inside the no_sync that such a network passes on
from contextlib import nullcontext

import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Whole(nn.Module):
    def __init__(self, module):
        super().__init__()
        self.module = module

    def __getattr__(self, name):
        try:
            return super().__getattr__(name)
        except AttributeError:
            return getattr(self.module, name)

    def forward(self, *args):
        return self.module(*args)


def train(net, loader, n):
    model = Whole(DDP(net))
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        last = (i + 1) % n == 0
        with nullcontext() if last else model.no_sync():
            loss = nn.functional.mse_loss(model(x), y) / n
            loss.backward()
        if last:
            opt.step()
            opt.zero_grad()

# === such a network that nobody asks for it
import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Whole(nn.Module):
    def __init__(self, module):
        super().__init__()
        self.module = module

    def __getattr__(self, name):
        try:
            return super().__getattr__(name)
        except AttributeError:
            return getattr(self.module, name)

    def forward(self, *args):
        return self.module(*args)


def train(net, loader, n):
    model = Whole(DDP(net))
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        loss = nn.functional.mse_loss(model(x), y) / n
        loss.backward()  # <- missing-no-sync
        if (i + 1) % n == 0:
            opt.step()
            opt.zero_grad()
