# === a callable object steps both optimizers, tells somebody each time, and updates the scaler in between
import torch


class Updater:
    def __init__(self, net, record):
        self.net, self.record = net, record
        self.optimizers = [
            torch.optim.SGD(net.dense.parameters(), lr=0.1),
            torch.optim.SGD(net.items.parameters(), lr=0.5),
        ]
        self.scaler = torch.amp.GradScaler("cpu")

    def __call__(self, loss):
        for optimizer in self.optimizers:
            optimizer.zero_grad()
        self.scaler.scale(loss).backward()
        for optimizer in self.optimizers:
            self.scaler.step(optimizer)  # <- missing-scaler-update
            self.record(list(self.net.parameters()))
            self.scaler.update()


def fit(net, loader, criterion, record):
    update = Updater(net, record)
    for x, y in loader:
        with torch.autocast("cpu", dtype=torch.float16):
            loss = criterion(net(x), y)
        update(loss)

# === the same, updated once
import torch


class Updater:
    def __init__(self, net, record):
        self.net, self.record = net, record
        self.optimizers = [
            torch.optim.SGD(net.dense.parameters(), lr=0.1),
            torch.optim.SGD(net.items.parameters(), lr=0.5),
        ]
        self.scaler = torch.amp.GradScaler("cpu")

    def __call__(self, loss):
        for optimizer in self.optimizers:
            optimizer.zero_grad()
        self.scaler.scale(loss).backward()
        for optimizer in self.optimizers:
            self.scaler.step(optimizer)
            self.record(list(self.net.parameters()))
        self.scaler.update()


def fit(net, loader, criterion, record):
    update = Updater(net, record)
    for x, y in loader:
        with torch.autocast("cpu", dtype=torch.float16):
            loss = criterion(net(x), y)
        update(loss)
