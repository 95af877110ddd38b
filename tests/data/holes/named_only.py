# === schedule by another name
import torch
from torch.optim.lr_scheduler import StepLR


def halving(opt):
    return StepLR(opt, 5, gamma=0.5)


class Fitting:
    def __init__(self, net, batches):
        self.net, self.batches = net, batches
        self.opt = torch.optim.SGD(net.parameters(), lr=0.1)
        self.pace = halving(self.opt)

    def fit(self, epochs):
        for _ in range(epochs):
            for x, y in self.batches:
                self.opt.zero_grad()
                torch.nn.functional.mse_loss(self.net(x), y).backward()
                self.opt.step()
            self.pace.step  # <- method-not-called

# === the same called
import torch
from torch.optim.lr_scheduler import StepLR


def halving(opt):
    return StepLR(opt, 5, gamma=0.5)


class Fitting:
    def __init__(self, net, batches):
        self.net, self.batches = net, batches
        self.opt = torch.optim.SGD(net.parameters(), lr=0.1)
        self.pace = halving(self.opt)

    def fit(self, epochs):
        for _ in range(epochs):
            for x, y in self.batches:
                self.opt.zero_grad()
                torch.nn.functional.mse_loss(self.net(x), y).backward()
                self.opt.step()
            self.pace.step()

# === a property of the project's own network does something
import torch
from torch import nn


class Tower(nn.Module):
    def __init__(self):
        super().__init__()
        self.line = nn.Linear(3, 1)
        self.count = 0

    @property
    def train(self):
        self.count += 1
        return super().train

    def forward(self, x):
        return self.line(x)


def main(batches):
    tower = Tower()
    opt = torch.optim.SGD(tower.parameters(), lr=0.1)
    for x, y in batches:
        opt.zero_grad()
        nn.functional.mse_loss(tower(x), y).backward()
        opt.step()
        tower.line.weight

# === an attribute that is no method of a schedule
import torch
from torch.optim.lr_scheduler import StepLR


class Pace:
    def __init__(self, opt):
        self.inner = StepLR(opt, 5)
        self.step = 0

    def on(self):
        self.step += 1
        self.inner.step()


def main(net, batches):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    pace = Pace(opt)
    for _ in range(10):
        for x, y in batches:
            opt.zero_grad()
            torch.nn.functional.mse_loss(net(x), y).backward()
            opt.step()
        pace.step
        pace.on()
