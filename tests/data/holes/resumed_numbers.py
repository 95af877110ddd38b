# === a resumed run counts on from a number that is written there, and a fresh one from 0
import torch
from torch import nn


def train(net, loader, args, n=4):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    step = 0
    if args.resume:
        state = torch.load(args.resume)
        net.load_state_dict(state["net"])
        step = 1
    for x, y in loader:
        (nn.functional.mse_loss(net(x), y) / n).backward()
        if (step + 1) % n == 0:
            optimizer.step()
            optimizer.zero_grad()
        step += 1
# === a fresh one steps too soon, whatever a resumed one does
import torch
from torch import nn


def train(net, loader, args, n=4):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    step = 0
    if args.resume:
        step = 1
    for x, y in loader:
        (nn.functional.mse_loss(net(x), y) / n).backward()
        if step % n == 0:  # <- accumulation-off-by-one
            optimizer.step()
            optimizer.zero_grad()
        step += 1
# === an object that may have been taken up counts on
import torch
from torch import nn


class Trainer:
    def __init__(self, net, checkpoint=None):
        self.net = net
        self.optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        self.step = 0
        if checkpoint:
            self.step = 1

    def run(self, loader, n=4):
        for x, y in loader:
            (nn.functional.mse_loss(self.net(x), y) / n).backward()
            if (self.step + 1) % n == 0:
                self.optimizer.step()
                self.optimizer.zero_grad()
            self.step += 1
# === a method takes it up
import torch
from torch import nn


class Trainer:
    def __init__(self, net):
        self.net = net
        self.optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        self.step = 0

    def load(self, path):
        self.optimizer.load_state_dict(torch.load(path))
        self.step = 1

    def run(self, loader, n=4):
        for x, y in loader:
            (nn.functional.mse_loss(self.net(x), y) / n).backward()
            if (self.step + 1) % n == 0:
                self.optimizer.step()
                self.optimizer.zero_grad()
            self.step += 1


def main(args, net, loader):
    trainer = Trainer(net)
    if args.resume:
        trainer.load(args.resume)
    trainer.run(loader)
# === an object that steps too soon in a fresh run
import torch
from torch import nn


class Trainer:
    def __init__(self, net, checkpoint=None):
        self.net = net
        self.optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        self.step = 0
        if checkpoint:
            self.step = 1

    def run(self, loader, n=4):
        for x, y in loader:
            (nn.functional.mse_loss(self.net(x), y) / n).backward()
            if self.step % n == 0:  # <- accumulation-off-by-one
                self.optimizer.step()
                self.optimizer.zero_grad()
            self.step += 1
# === in a loop a number that is written there is the count itself
import torch
from torch import nn


def train(net, loader, usable, n=4):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    gathered = 0
    for x, y in loader:
        if not usable(x):
            optimizer.zero_grad()
            gathered = 0
            continue
        (nn.functional.mse_loss(net(x), y) / n).backward()
        gathered += 1
        if gathered == n:
            optimizer.step()
            optimizer.zero_grad()
            gathered = 0
# === what an option lets train first counts on from there
import torch
from torch import nn


class Trainer:
    def __init__(self, net, every=4):
        self.net, self.every = net, every
        self.optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        self.seen = 0

    def feed(self, loader):
        for x, y in loader:
            (nn.functional.mse_loss(self.net(x), y) / self.every).backward()
            self.seen += 1
            if self.seen % self.every == 0:
                self.optimizer.step()
                self.optimizer.zero_grad()


def main(args, net, first, loader):
    trainer = Trainer(net)
    if args.warm:
        trainer.feed(first)
    trainer.feed(loader)
