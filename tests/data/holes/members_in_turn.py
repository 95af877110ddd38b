# === several networks are compared on one order
import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler


def one_pass(net, loader):
    ddp = DDP(net)
    optimizer = torch.optim.SGD(ddp.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(ddp(x), y).backward()
        optimizer.step()


def compare(data, widths):
    sampler = DistributedSampler(data)
    loader = DataLoader(data, sampler=sampler)
    for width in widths:
        one_pass(nn.Linear(3, width), loader)
# === each of them goes through it several times
import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler


def several(net, loader):
    ddp = DDP(net)
    optimizer = torch.optim.SGD(ddp.parameters(), lr=0.1)
    for epoch in range(5):  # <- missing-set-epoch
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(ddp(x), y).backward()
            optimizer.step()


def compare(data, widths):
    sampler = DistributedSampler(data)
    loader = DataLoader(data, sampler=sampler)
    for width in widths:
        several(nn.Linear(3, width), loader)
# === the optimizer is made anew for each cycle, and the network is the same
import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler


def cycles(net, data):
    loader = DataLoader(data, sampler=DistributedSampler(data))
    ddp = DDP(net)
    for cycle in range(4):  # <- missing-set-epoch
        optimizer = torch.optim.SGD(ddp.parameters(), lr=0.1)
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(ddp(x), y).backward()
            optimizer.step()
# === two networks take turns, each in one order for all its epochs
import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler


def one_pass(net, optimizer, loader):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()


def main(data, one, other):
    loader = DataLoader(data, sampler=DistributedSampler(data))
    one, other = DDP(one), DDP(other)
    fast, slow = torch.optim.SGD(one.parameters(), lr=0.1), torch.optim.SGD(other.parameters(), lr=0.01)
    for epoch in range(9):  # <- missing-set-epoch
        one_pass(one, fast, loader)
        one_pass(other, slow, loader)
