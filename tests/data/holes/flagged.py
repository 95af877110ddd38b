# === the flag is set on the network, not on DDP
import torch.nn.functional as F
import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def train(loader, rank, accum):
    network = nn.Linear(2, 2).to(rank)
    model = DDP(network, device_ids=[rank])
    optimizer = torch.optim.Adam(network.parameters())
    for i, (x, y) in enumerate(loader):
        last = (i + 1) % accum == 0 or i + 1 == len(loader)
        network.require_backward_grad_sync = last
        (F.cross_entropy(model(x), y) / accum).backward()  # <- missing-no-sync
        if last:
            optimizer.step()
            optimizer.zero_grad()
# === right: the loss is asked of DDP
import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Flow(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.net = nn.Linear(dim, dim)

    def forward(self, x):
        return (self.net(x) - x).square().mean()


def train(loader, rank):
    model = DDP(Flow(2).to(rank), device_ids=[rank])
    optimizer = torch.optim.Adam(model.parameters())
    for x in loader:
        optimizer.zero_grad()
        model(x).backward()
        optimizer.step()
# === right: a few warm-up batches before DDP is put around it
import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def train(loader, rank):
    network = nn.Linear(2, 2).to(rank)
    optimizer = torch.optim.Adam(network.parameters())
    for x in loader:
        optimizer.zero_grad()
        network(x).square().mean().backward()
        optimizer.step()
    model = DDP(network, device_ids=[rank])
    for x in loader:
        optimizer.zero_grad()
        model(x).square().mean().backward()
        optimizer.step()
# === right: gradients of the bare network are averaged by hand
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def train(loader, rank):
    model = DDP(nn.Linear(2, 2).to(rank), device_ids=[rank])
    optimizer = torch.optim.Adam(model.parameters())
    for x in loader:
        optimizer.zero_grad()
        model.module(x).square().mean().backward()
        for p in model.parameters():
            dist.all_reduce(p.grad, op=dist.ReduceOp.AVG)
        optimizer.step()
# === right: a second term of the loss is asked of what DDP holds
import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Net(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.net = nn.Linear(dim, dim)

    def forward(self, x):
        return self.net(x)


def train(loader, rank):
    model = DDP(Net(2).to(rank), device_ids=[rank])
    optimizer = torch.optim.Adam(model.parameters())
    for x in loader:
        optimizer.zero_grad()
        loss = model(x).square().mean() + 0.1 * model.module(x).abs().mean()
        loss.backward()
        optimizer.step()
# === right: the flag is set on DDP
import torch.nn.functional as F
import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def train(loader, rank, accum):
    network = nn.Linear(2, 2).to(rank)
    model = DDP(network, device_ids=[rank])
    optimizer = torch.optim.Adam(network.parameters())
    for i, (x, y) in enumerate(loader):
        last = (i + 1) % accum == 0 or i + 1 == len(loader)
        model.require_backward_grad_sync = last
        (F.cross_entropy(model(x), y) / accum).backward()
        if last:
            optimizer.step()
            optimizer.zero_grad()
