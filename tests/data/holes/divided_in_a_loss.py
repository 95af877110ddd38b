# === a loss of one's own divides its criterion's mean by the window, and the gradients are divided once more
import torch
from torch import nn


class Share(nn.Module):
    def __init__(self, window):
        super().__init__()
        self.window = window
        self.error = nn.SmoothL1Loss()

    def forward(self, guess, wanted):
        return self.error(guess, wanted) / self.window


def train(net, loader, window=4):
    measure = Share(window)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for n, (x, y) in enumerate(loader, 1):
        measure(net(x), y).backward()  # <- accumulation-divisor-mismatch
        if n % window == 0 or n == len(loader):
            for p in net.parameters():
                p.grad.div_(window)
            optimizer.step()
            optimizer.zero_grad()
# === it divides, and nobody else does
import torch
from torch import nn


class Share(nn.Module):
    def __init__(self, window):
        super().__init__()
        self.window = window
        self.error = nn.SmoothL1Loss()

    def forward(self, guess, wanted):
        return self.error(guess, wanted) / self.window


def train(net, loader, window=4):
    measure = Share(window)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for n, (x, y) in enumerate(loader, 1):
        measure(net(x), y).backward()
        if n % window == 0 or n == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === a sum that is divided by as many samples as a window has, whatever that is called
import torch
from torch import nn


class Share(nn.Module):
    def __init__(self, window):
        super().__init__()
        self.window = window
        self.error = nn.MSELoss(reduction="sum")

    def forward(self, guess, wanted):
        return self.error(guess, wanted) / self.window


def train(net, loader, window=4):
    measure = Share(window)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for n, (x, y) in enumerate(loader, 1):
        (measure(net(x), y) / window).backward()
        if n % window == 0 or n == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === one that is divided on one way only
import torch
from torch import nn


class Share(nn.Module):
    def __init__(self, window):
        super().__init__()
        self.window = window
        self.error = nn.SmoothL1Loss()

    def forward(self, guess, wanted):
        if self.training:
            return self.error(guess, wanted) / self.window
        return self.error(guess, wanted)


def train(net, loader, window=4):
    measure = Share(window)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for n, (x, y) in enumerate(loader, 1):
        measure(net(x), y).backward()
        if n % window == 0 or n == len(loader):
            optimizer.step()
            optimizer.zero_grad()
