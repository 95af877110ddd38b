# === below zero is one too late, in a class
import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, net, parts):
        self.net, self.parts, self.todo = net, parts, parts
        self.optimizer = torch.optim.AdamW(net.parameters())

    def fit(self, loader):
        for x, y in loader:
            (F.mse_loss(self.net(x), y) / self.parts).backward()
            self.todo -= 1
            if self.todo < 0:  # <- accumulation-off-by-one
                self.optimizer.step()
                self.optimizer.zero_grad()
                self.todo = self.parts
# === right: it is a full window at zero, in a class
import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, net, parts):
        self.net, self.parts, self.todo = net, parts, parts
        self.optimizer = torch.optim.AdamW(net.parameters())

    def fit(self, loader):
        for x, y in loader:
            (F.mse_loss(self.net(x), y) / self.parts).backward()
            self.todo -= 1
            if self.todo <= 0:
                self.optimizer.step()
                self.optimizer.zero_grad()
                self.todo = self.parts
# === below zero is one too late
import torch
import torch.nn.functional as F


def train(net, loader, micro=4):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    rest = micro
    for x, y in loader:
        (F.mse_loss(net(x), y) / micro).backward()
        rest -= 1
        if rest < 0:  # <- accumulation-off-by-one
            optimizer.step()
            optimizer.zero_grad()
            rest = micro
# === right: below zero, from one less
import torch
import torch.nn.functional as F


def train(net, loader, micro=4):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    rest = micro - 1
    for x, y in loader:
        (F.mse_loss(net(x), y) / micro).backward()
        rest -= 1
        if rest < 0:
            optimizer.step()
            optimizer.zero_grad()
            rest = micro - 1
# === right: below zero, and divided by one more
import torch
import torch.nn.functional as F


def train(net, loader, micro=4):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    rest = micro
    for x, y in loader:
        (F.mse_loss(net(x), y) / (micro + 1)).backward()
        rest -= 1
        if rest < 0:
            optimizer.step()
            optimizer.zero_grad()
            rest = micro
