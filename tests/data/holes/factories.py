# What a record's factory makes is made once for each record, and is as old as that.

# === meters of a record
from dataclasses import dataclass, field

import torch
from torch import nn


class Mean:
    def __init__(self):
        self.total, self.n = 0.0, 0

    def add(self, value, n):
        self.total = self.total + value * n  # <- loss-graph-leak
        self.n += n


@dataclass
class State:
    net: nn.Module
    opt: torch.optim.Optimizer
    means: dict = field(default_factory=lambda: {"fit": Mean()})


def train(loader):
    net = nn.Linear(4, 1)
    state = State(net, torch.optim.SGD(net.parameters(), lr=0.1))
    for x, y in loader:
        state.opt.zero_grad()
        loss = torch.nn.functional.mse_loss(state.net(x), y)
        loss.backward()
        state.opt.step()
        state.means["fit"].add(loss, len(x))


# === right: the number alone
from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class Log:
    losses: list = field(default_factory=list)


def train(loader):
    net, log = nn.Linear(4, 1), Log()
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y in loader:
        opt.zero_grad()
        loss = torch.nn.functional.mse_loss(net(x), y)
        loss.backward()
        opt.step()
        log.losses.append(loss.item())
    return log


# === right: a record for each batch
from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class Parts:
    losses: list = field(default_factory=list)


def train(loader):
    net = nn.Linear(4, 1)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y in loader:
        parts = Parts()
        opt.zero_grad()
        for piece, truth in zip(x.chunk(2), y.chunk(2)):
            loss = torch.nn.functional.mse_loss(net(piece), truth) / 2
            loss.backward()
            parts.losses.append(loss)
        opt.step()
        print(sum(parts.losses).item())


# === right: what goes backward together
from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class Parts:
    losses: list = field(default_factory=list)


def train(loader):
    net = nn.Linear(4, 1)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y in loader:
        parts = Parts()
        opt.zero_grad()
        for piece, truth in zip(x.chunk(2), y.chunk(2)):
            parts.losses.append(torch.nn.functional.mse_loss(net(piece), truth))
        torch.stack(parts.losses).mean().backward()
        opt.step()
