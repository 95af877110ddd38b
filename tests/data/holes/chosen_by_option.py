# === a registry of trainers, of which an option without a default chooses one: each has its turn
import argparse

import torch


class Plain:
    def __init__(self, net, optimizer):
        self.net, self.optimizer = net, optimizer

    def fit(self, loader):
        for x, y in loader:
            self.optimizer.zero_grad()
            torch.nn.functional.mse_loss(self.net(x), y).backward()
            self.optimizer.step()


class Windowed(Plain):
    def fit(self, loader, window=4):
        for i, (x, y) in enumerate(loader):
            torch.nn.functional.mse_loss(self.net(x), y).backward()  # <- missing-no-sync, unscaled-accumulation-loss
            if (i + 1) % window == 0 or i + 1 == len(loader):
                self.optimizer.step()
                self.optimizer.zero_grad()


KINDS = {"plain": Plain, "windowed": Windowed}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kind", required=True)
    args = parser.parse_args()
    net = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(3, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    trainer = KINDS[args.kind](net, optimizer)
    for _ in range(3):
        trainer.fit(torch.utils.data.DataLoader(torch.randn(16, 3), batch_size=4))


main()
# === a registry of right ones
import argparse

import torch


class Plain:
    def __init__(self, net, optimizer):
        self.net, self.optimizer = net, optimizer

    def fit(self, loader):
        for x, y in loader:
            self.optimizer.zero_grad()
            torch.nn.functional.mse_loss(self.net(x), y).backward()
            self.optimizer.step()


class Windowed(Plain):
    def fit(self, loader, window=4):
        for i, (x, y) in enumerate(loader):
            loss = torch.nn.functional.mse_loss(self.net(x), y) / window
            loss.backward()
            if (i + 1) % window == 0 or i + 1 == len(loader):
                self.optimizer.step()
                self.optimizer.zero_grad()


KINDS = {"plain": Plain, "windowed": Windowed}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kind", required=True)
    args = parser.parse_args()
    net = torch.nn.Linear(3, 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    trainer = KINDS[args.kind](net, optimizer)
    for _ in range(3):
        trainer.fit(torch.utils.data.DataLoader(torch.randn(16, 3), batch_size=4))


main()
# === a step and the loss that belongs to it are chosen by the same option: the pair goes together
import torch


def each(loss, optimizer, i):
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()


def fourth(loss, optimizer, i):
    loss.backward()
    if (i + 1) % 4 == 0:
        optimizer.step()
        optimizer.zero_grad()


STEPS = {"each": each, "fourth": fourth}


def train(args, model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    advance = STEPS[args.pace]
    for i, (x, y) in enumerate(loader):
        loss = torch.nn.functional.mse_loss(model(x), y)
        if args.pace == "fourth":
            loss = loss / 4
        advance(loss, optimizer, i)
    if args.pace == "fourth":
        optimizer.step()
        optimizer.zero_grad()
# === what trains and what only tests, by the word of a command
import torch


def train(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        for i, (x, y) in enumerate(loader):
            loss = torch.nn.functional.mse_loss(model(x), y) / 4
            loss.backward()
            if (i + 1) % 4 == 0:  # <- dropped-accumulation-tail
                optimizer.step()
                optimizer.zero_grad()


def test(model, loader):
    model.eval()
    with torch.no_grad():
        return sum(torch.nn.functional.mse_loss(model(x), y).item() for x, y in loader)


def main(args):
    loader = torch.utils.data.DataLoader(torch.randn(16, 3), batch_size=4)
    {"test": test, "train": train}[args.command](torch.nn.Linear(3, 1), loader)
# === networks are no choice, also where one of them has a `train` of its own
import torch


class Frozen(torch.nn.Linear):
    def train(self, mode=True):
        super().train(mode)
        self.eval()
        return self


class Still(Frozen):
    pass


NETWORKS = {"frozen": Frozen, "still": Still}


def train(args, loader):
    model = NETWORKS[args.arch](3, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        torch.nn.functional.mse_loss(model(x), y).backward()  # <- unscaled-accumulation-loss
        if (i + 1) % args.accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
