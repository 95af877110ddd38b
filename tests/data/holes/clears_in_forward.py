# === a network clears itself at the head of its forward
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(8, 8)
        self.decoder = nn.Linear(8, 1)

    def forward(self, x):
        self.zero_grad()
        code = self.encoder(x)
        return self.decoder(code).mean()


def train(loader):
    net = Net()
    one = torch.optim.Adam(net.encoder.parameters())
    two = torch.optim.Adam(net.decoder.parameters())
    for x in loader:
        loss = net(x)
        loss.backward()
        one.step()
        two.step()
# === it clears only one of its parts
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(8, 8)
        self.decoder = nn.Linear(8, 1)

    def forward(self, x):
        self.encoder.zero_grad()
        code = self.encoder(x)
        return self.decoder(code).mean()


def train(loader):
    net = Net()
    one = torch.optim.Adam(net.encoder.parameters())
    two = torch.optim.Adam(net.decoder.parameters())
    for x in loader:
        loss = net(x)
        loss.backward()
        one.step()
        two.step()  # <- missing-zero-grad
# === what its forward clears are the gradients of a window
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(8, 1)

    def forward(self, x):
        self.zero_grad()
        return self.linear(x).mean()


def train(loader, steps=4):
    net = Net()
    optimizer = torch.optim.Adam(net.parameters())
    for n, x in enumerate(loader, 1):
        (net(x) / steps).backward()  # <- zero-grad-in-accumulation
        if n % steps == 0:
            optimizer.step()
# === right: it keeps its gradients until the loop clears them
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(8, 1)

    def forward(self, x):
        return self.linear(x).mean()


def train(loader, steps=4):
    net = Net()
    optimizer = torch.optim.Adam(net.parameters())
    for n, x in enumerate(loader, 1):
        (net(x) / steps).backward()
        if n % steps == 0 or n == len(loader):
            optimizer.step()
            net.zero_grad()
# === it clears while it trains, by hand
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(8, 1)

    def forward(self, x):
        if self.training:
            for p in self.parameters():
                p.grad = None
        return self.linear(x).mean()


def train(loader):
    net = Net().train()
    optimizer = torch.optim.Adam(net.parameters())
    for x in loader:
        net(x).backward()
        optimizer.step()
# === right: an evaluation within a window leaves its forward before it clears
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(8, 1)

    def forward(self, x, first=False, scores=False):
        found = self.linear(x)
        if scores:
            return found
        if first:
            self.zero_grad()
        return found.mean()


def train(loader, tests, steps=4):
    net = Net()
    optimizer = torch.optim.Adam(net.parameters())
    for n, x in enumerate(loader):
        (net(x, first=n % steps == 0) / steps).backward()
        with torch.no_grad():
            print(net(next(tests), first=True, scores=True))
        if (n + 1) % steps == 0 or n + 1 == len(loader):
            optimizer.step()
# === the evaluation clears what the window has
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(8, 1)

    def forward(self, x, first=False, scores=False):
        found = self.linear(x)
        if first:
            self.zero_grad()
        return found if scores else found.mean()


def train(loader, tests, steps=4):
    net = Net()
    optimizer = torch.optim.Adam(net.parameters())
    for n, x in enumerate(loader):
        (net(x, first=n % steps == 0) / steps).backward()
        with torch.no_grad():
            print(net(next(tests), first=True, scores=True))  # <- zero-grad-before-step
        if (n + 1) % steps == 0 or n + 1 == len(loader):
            optimizer.step()
# === a wrapped network that clears itself in a method
import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(8, 1)

    def fresh(self):
        self.zero_grad()

    def forward(self, x):
        self.fresh()
        return self.linear(x).mean()


def train(loader):
    net = DistributedDataParallel(Net())
    optimizer = torch.optim.Adam(net.parameters())
    for x in loader:
        net(x).backward()
        optimizer.step()
