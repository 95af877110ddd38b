"""Criteria of one's own that add up what they compute."""

# === with each call, in an attribute that is cleared with each epoch, and around another
from abc import ABC
import torch
from torch import nn
from torch.nn.modules.loss import _Loss


class Counting(_Loss, ABC):
    def __init__(self):
        super(Counting, self).__init__()
        self.total, self.seen = 0, 0

    def clear(self):
        self.total, self.seen = 0, 0


class Words(Counting):
    def __init__(self, pad):
        super(Words, self).__init__()
        self.pad = pad
        self.inner = nn.CrossEntropyLoss(ignore_index=pad, reduction="sum")

    def forward(self, out, batch):
        words = (batch["words"] != self.pad).sum()
        loss = self.inner(out["words"], batch["words"])
        self.total += loss  # <- loss-graph-leak
        self.seen += words
        return loss / words


class Groups(Counting):
    def __init__(self, main, share=0.5):
        super(Groups, self).__init__()
        self.main, self.share = main, share
        self.inner = nn.CrossEntropyLoss()

    def forward(self, out, batch):
        main = self.main(out, batch)
        extra = self.inner(out["groups"], batch["groups"])
        self.total = self.total + extra  # <- loss-graph-leak
        return main + self.share * extra


class Trainer:
    def __init__(self, net, loader, optimizer, criterion):
        self.net, self.loader, self.optimizer, self.criterion = net, loader, optimizer, criterion

    def epoch(self):
        criterion = self.criterion
        criterion.clear()
        for batch in self.loader:
            loss = criterion(self.net(batch), batch)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
        print(criterion.total)


def main(net, loader, epochs):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    trainer = Trainer(net, loader, optimizer, Groups(Words(0)))
    for _ in range(epochs):
        trainer.epoch()

# === and its window is seen as before
import torch
from torch import nn


class Squares(nn.Module):
    def __init__(self):
        super().__init__()
        self.total = 0.0
        self.inner = nn.MSELoss()

    def forward(self, out, y):
        loss = self.inner(out, y)
        self.total += loss  # <- loss-graph-leak
        return loss


def train(net, loader, accum):
    optimizer, criterion = torch.optim.SGD(net.parameters(), lr=0.1), Squares()
    for i, (x, y) in enumerate(loader):
        criterion(net(x), y).backward()  # <- unscaled-accumulation-loss
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
    return criterion.total

# === right: numbers, what is cut off, and calls that are counted
import torch
from torch import nn


class Squares(nn.Module):
    def __init__(self):
        super().__init__()
        self.total, self.cut, self.calls = 0.0, 0.0, 0
        self.inner = nn.MSELoss()

    def forward(self, out, y):
        loss = self.inner(out, y)
        self.total += loss.item()
        self.cut += loss.detach()
        self.calls += 1
        return loss


def train(net, loader):
    optimizer, criterion = torch.optim.SGD(net.parameters(), lr=0.1), Squares()
    for x, y in loader:
        loss = criterion(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return criterion.total / criterion.calls, criterion.cut

# === right: cleared with each batch, and in an evaluation
import torch
from torch import nn


class Squares(nn.Module):
    def __init__(self):
        super().__init__()
        self.total = 0.0
        self.inner = nn.MSELoss()

    def forward(self, out, y):
        loss = self.inner(out, y)
        self.total += loss
        return loss


def train(net, loader, log):
    optimizer, criterion = torch.optim.SGD(net.parameters(), lr=0.1), Squares()
    for x, y in loader:
        criterion.total = 0.0
        loss = criterion(net(x), y) + criterion(net(2 * x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        log(criterion.total)


@torch.no_grad()
def evaluate(net, loader):
    net.eval()
    criterion = Squares()
    for x, y in loader:
        criterion(net(x), y)
    return criterion.total / len(loader)

# === right: what is added up goes backward itself
import torch
from torch import nn


class Squares(nn.Module):
    def __init__(self):
        super().__init__()
        self.total = 0.0
        self.inner = nn.MSELoss()

    def forward(self, out, y):
        self.total = self.total + self.inner(out, y)
        return self.total


def train(net, loader, heads):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    criterion = Squares()
    for x, targets in loader:
        for head, y in zip(heads, targets):
            criterion(head(net(x)), y)
        optimizer.zero_grad()
        criterion.total.backward()
        optimizer.step()
        criterion.total = 0.0
