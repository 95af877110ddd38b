# === a table of optimizers, and one clear for all pieces of a batch
import torch
from torch import nn
from torch.optim import SGD, Adam

KINDS = {"sgd": SGD, "adam": Adam}


def train(options, loader):
    net = nn.Linear(4, 2)
    opt = KINDS[options["kind"]](net.parameters(), lr=0.1)
    for pieces in loader:
        opt.zero_grad()
        for x, y in pieces:
            nn.functional.mse_loss(net(x), y).backward()
            opt.step()  # <- missing-zero-grad
# === the same with one of the file's own in it
import torch
from torch import nn
from torch.optim import Adam, Optimizer


class Signs(Optimizer):
    def __init__(self, params, lr):
        super().__init__(params, {"lr": lr})

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    p.sub_(group["lr"] * p.grad.sign())


KINDS = {"signs": Signs, "adam": Adam}


def train(options, loader):
    net = nn.Linear(4, 2)
    opt = KINDS[options["kind"]](net.parameters(), lr=0.1)
    for pieces in loader:
        opt.zero_grad()
        for x, y in pieces:
            nn.functional.mse_loss(net(x), y).backward()
            opt.step()  # <- missing-zero-grad
# === torch is asked for one of its optimizers
import torch
from torch import nn


def train(args, loader):
    net = nn.Linear(4, 2)
    opt = getattr(torch.optim, args.kind)(net.parameters(), lr=0.1)
    for pieces in loader:
        opt.zero_grad()
        for x, y in pieces:
            nn.functional.mse_loss(net(x), y).backward()
            opt.step()  # <- missing-zero-grad
# === it is looked up among its names
import torch.optim as optim
from torch import nn


def train(args, loader):
    net = nn.Linear(4, 2)
    opt = optim.__dict__[args.kind](net.parameters(), lr=0.1)
    for pieces in loader:
        opt.zero_grad()
        for x, y in pieces:
            nn.functional.mse_loss(net(x), y).backward()
            opt.step()  # <- missing-zero-grad
# === a table of optimizers, and a clear for each piece
import torch
from torch import nn
from torch.optim import SGD, Adam

KINDS = {"sgd": SGD, "adam": Adam}


def train(options, loader):
    net = nn.Linear(4, 2)
    opt = KINDS[options["kind"]](net.parameters(), lr=0.1)
    for pieces in loader:
        for x, y in pieces:
            opt.zero_grad()
            nn.functional.mse_loss(net(x), y).backward()
            opt.step()
# === one of the table clears in its own step
import torch
from torch import nn
from torch.optim import Adam, Optimizer


class Clearing(Optimizer):
    def __init__(self, params, lr):
        super().__init__(params, {"lr": lr})

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    p.sub_(group["lr"] * p.grad)
        self.zero_grad()


KINDS = {"clearing": Clearing, "adam": Adam}


def train(options, loader):
    net = nn.Linear(4, 2)
    opt = KINDS[options["kind"]](net.parameters(), lr=0.1)
    opt.zero_grad()
    for pieces in loader:
        for x, y in pieces:
            nn.functional.mse_loss(net(x), y).backward()
            opt.step()
# === one of the table is of nobody in sight
import torch
from torch import nn
from torch.optim import Adam
from tidy import Tidying

KINDS = {"tidying": Tidying, "adam": Adam}


def train(options, loader):
    net = nn.Linear(4, 2)
    opt = KINDS[options["kind"]](net.parameters(), lr=0.1)
    opt.zero_grad()
    for pieces in loader:
        for x, y in pieces:
            nn.functional.mse_loss(net(x), y).backward()
            opt.step()
# === another module is asked, which may hold anything
import optimizers
import torch
from torch import nn


def train(args, loader):
    net = nn.Linear(4, 2)
    opt = getattr(optimizers, args.kind)(net.parameters(), lr=0.1)
    opt.zero_grad()
    for pieces in loader:
        for x, y in pieces:
            nn.functional.mse_loss(net(x), y).backward()
            opt.step()
