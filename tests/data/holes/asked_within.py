# === a counter compared with `>` asks for the update, which asks again whether there is something
import torch
from torch import nn


class Accumulator:
    def __init__(self, module, window):
        self.module = module
        self.opt = torch.optim.SGD(module.parameters(), lr=0.1)
        self.window = window
        self.pending = 0

    def feed(self, loss):
        (loss / self.window).backward()
        self.pending += 1
        if self.pending > self.window:  # <- accumulation-off-by-one
            self.flush()

    def flush(self):
        if self.pending:
            self.opt.step()
            self.opt.zero_grad()
            self.pending = 0


net = nn.Linear(16, 1)
acc = Accumulator(net, window=4)
for epoch in range(2):
    for _ in range(20):
        acc.feed(net(torch.randn(6, 16)).pow(2).mean())
    acc.flush()


# === a function that updates where something was added
import torch


def update(optimizer, added):
    if added > 0:
        optimizer.step()
        optimizer.zero_grad()


def train(model, loader, criterion, accum_steps):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    count = 0
    for x, y in loader:
        loss = criterion(model(x), y) / accum_steps
        loss.backward()
        count += 1
        if count > accum_steps:  # <- accumulation-off-by-one
            update(optimizer, count)
            count = 0


# === right: the same with a full window
import torch
from torch import nn


class Accumulator:
    def __init__(self, module, window):
        self.module = module
        self.opt = torch.optim.SGD(module.parameters(), lr=0.1)
        self.window = window
        self.pending = 0

    def feed(self, loss):
        (loss / self.window).backward()
        self.pending += 1
        if self.pending >= self.window:
            self.flush()

    def flush(self):
        if self.pending:
            self.opt.step()
            self.opt.zero_grad()
            self.pending = 0


net = nn.Linear(16, 1)
acc = Accumulator(net, window=4)
for epoch in range(2):
    for _ in range(20):
        acc.feed(net(torch.randn(6, 16)).pow(2).mean())
    acc.flush()


# === right: more than the window before this one, counted from one
import torch
from torch import nn


class Accumulator:
    def __init__(self, module, window):
        self.module = module
        self.opt = torch.optim.SGD(module.parameters(), lr=0.1)
        self.window = window
        self.pending = 1

    def feed(self, loss):
        (loss / self.window).backward()
        self.pending += 1
        if self.pending > self.window:
            self.flush()

    def flush(self):
        if self.pending > 1:
            self.opt.step()
            self.opt.zero_grad()
            self.pending = 1


net = nn.Linear(16, 1)
acc = Accumulator(net, window=4)
for epoch in range(2):
    for _ in range(20):
        acc.feed(net(torch.randn(6, 16)).pow(2).mean())
    acc.flush()
