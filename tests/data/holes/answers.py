# === a helper that answers in one branch or the other, and else not at all
import torch


class Experiment:
    def __init__(self, args, net, loader, held_out):
        self.args, self.net, self.loader, self.held_out = args, net, loader, held_out

    def run(self, x):
        if self.args.stages == 1:
            out = self.net(x)  # <- validation-without-no-grad
        elif self.args.stages == 2:
            out, between = self.net(x)
        if self.args.stages == 1:
            return out, 0
        elif self.args.stages == 2:
            return out, between
        else:
            print("no such number of stages")

    def valid(self, criterion):
        self.net.eval()
        losses = []
        for x, y in self.held_out:
            out, between = self.run(x)
            if self.args.stages == 1:
                losses.append(criterion(out, y).item())
            elif self.args.stages == 2:
                losses.append((criterion(out, y) + criterion(between, y)).item())
        return sum(losses)

    def train(self):
        optimizer = torch.optim.Adam(self.net.parameters())
        criterion = torch.nn.MSELoss()
        for _ in range(self.args.epochs):
            self.net.train()
            for x, y in self.loader:
                optimizer.zero_grad()
                out, between = self.run(x)
                if self.args.stages == 1:
                    loss = criterion(out, y)
                elif self.args.stages == 2:
                    loss = criterion(out, y) + criterion(between, y)
                loss.backward()
                optimizer.step()
            print(self.valid(criterion))
# === right: it answers the same, and evaluates without gradients
import torch


class Experiment:
    def __init__(self, args, net, loader, held_out):
        self.args, self.net, self.loader, self.held_out = args, net, loader, held_out

    def run(self, x):
        if self.args.stages == 1:
            out = self.net(x)
        elif self.args.stages == 2:
            out, between = self.net(x)
        if self.args.stages == 1:
            return out, 0
        elif self.args.stages == 2:
            return out, between
        else:
            print("no such number of stages")

    def valid(self, criterion):
        self.net.eval()
        losses = []
        with torch.no_grad():
            for x, y in self.held_out:
                out, between = self.run(x)
                if self.args.stages == 1:
                    losses.append(criterion(out, y).item())
                elif self.args.stages == 2:
                    losses.append((criterion(out, y) + criterion(between, y)).item())
        return sum(losses)

    def train(self):
        optimizer = torch.optim.Adam(self.net.parameters())
        criterion = torch.nn.MSELoss()
        for _ in range(self.args.epochs):
            self.net.train()
            for x, y in self.loader:
                optimizer.zero_grad()
                out, between = self.run(x)
                if self.args.stages == 1:
                    loss = criterion(out, y)
                elif self.args.stages == 2:
                    loss = criterion(out, y) + criterion(between, y)
                loss.backward()
                optimizer.step()
            print(self.valid(criterion))
# === a factory that makes one kind or the other
import torch
from torch import nn


def build(config):
    if config.kind == "attends":
        return nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 4))
    elif config.kind == "convolves":
        return nn.Conv1d(4, 4, 1)


def main(config, loader):
    net = build(config)
    optimizer = torch.optim.Adam(net.parameters())
    kept = []
    for i, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        if config.kind == "attends":
            loss = nn.functional.mse_loss(net(x), y)
        elif config.kind == "convolves":
            loss = nn.functional.l1_loss(net(x), y)
        loss.backward()
        optimizer.step()
        if i % config.every == 0:
            kept.append(loss)  # <- loss-graph-leak
    return kept
# === right: the same factory, and numbers are kept
import torch
from torch import nn


def build(config):
    if config.kind == "attends":
        return nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 4))
    elif config.kind == "convolves":
        return nn.Conv1d(4, 4, 1)


def main(config, loader):
    net = build(config)
    optimizer = torch.optim.Adam(net.parameters())
    kept = []
    for i, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        if config.kind == "attends":
            loss = nn.functional.mse_loss(net(x), y)
        elif config.kind == "convolves":
            loss = nn.functional.l1_loss(net(x), y)
        loss.backward()
        optimizer.step()
        if i % config.every == 0:
            kept.append(loss.item())
    return kept
# === right: a helper that gives up early answers later
import torch
from torch import nn


class Trainer:
    def __init__(self, net, args):
        self.net, self.args = net, args
        self.optimizer = torch.optim.Adam(net.parameters())

    def total(self, x, y):
        loss = nn.functional.mse_loss(self.net(x), y)
        if self.args.plain:
            return loss
        return loss + self.net.penalty()

    def fit(self, loader):
        for x, y in loader:
            self.optimizer.zero_grad()
            self.total(x, y).backward()
            self.optimizer.step()
# === the function for an epoch is chosen by what is asked for
import torch
from torch.nn import functional as F


def run_plain(net, loader, optimizer, is_eval=False):
    if is_eval:
        net.eval()
    else:
        net.train()
    for x, y in loader:
        loss = F.mse_loss(net(x), y)  # <- validation-without-no-grad
        if not is_eval:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


def run_twice(net, loader, optimizer, is_eval=False):
    for _ in range(2):
        run_plain(net, loader, optimizer, is_eval)


def test_plain(net, loader, optimizer):
    with torch.no_grad():
        for x, y in loader:
            print(F.mse_loss(net(x), y))


def run_of(args):
    if args.is_test:
        if args.kind == "plain":
            return test_plain
        else:
            raise ValueError("no such kind")
    else:
        if args.kind == "plain":
            return run_plain
        elif args.kind == "twice":
            return run_twice
        else:
            raise ValueError("no such kind")


def main(args, net, loader, held_out):
    optimizer = torch.optim.Adam(net.parameters())
    run = run_of(args)
    for _ in range(args.epochs):
        run(net, loader, optimizer)
        run(net, held_out, optimizer, is_eval=True)


def test(args, net, loader):
    run_of(args)(net, loader, None)


if __name__ == "__main__":
    args = parse()
    if args.is_test:
        test(args, build(args), load("test"))
    else:
        main(args, build(args), load("train"), load("valid"))
