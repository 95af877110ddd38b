# === an object called engine trains with a loader, and is made from a class that is handed over
import torch
import torch.nn.functional as F


class Base:
    def __init__(self, net, accum):
        self.net = net
        self.accum = accum
        self.optimizers = {}

    def prepare(self):
        self.optimizers["adam"] = torch.optim.Adam(self.net.parameters(), lr=1e-3)

    def train(self, loader, valid):
        for epoch in range(10):
            self.net.train()
            for i, (x, y) in enumerate(loader, 1):
                F.nll_loss(self.net(x), y).backward()  # <- unscaled-accumulation-loss
                if i % self.accum == 0 or i == len(loader):
                    for name in self.optimizers:
                        self.optimizers[name].step()
                        self.optimizers[name].zero_grad()


class Digits(Base):
    pass


def run(cls, net, loader, accum):
    engine = cls(net, accum)
    engine.prepare()
    engine.train(loader, None)


if __name__ == "__main__":
    run(Digits, torch.nn.Linear(2, 2), torch.utils.data.DataLoader([]), 4)
# === with the loader alone
import torch
import torch.nn.functional as F


class Base:
    def __init__(self, net, accum):
        self.net = net
        self.accum = accum
        self.optimizers = {}

    def prepare(self):
        self.optimizers["adam"] = torch.optim.Adam(self.net.parameters(), lr=1e-3)

    def train(self, loader):
        for i, (x, y) in enumerate(loader, 1):
            F.nll_loss(self.net(x), y).backward()  # <- unscaled-accumulation-loss
            if i % self.accum == 0 or i == len(loader):
                for name in self.optimizers:
                    self.optimizers[name].step()
                    self.optimizers[name].zero_grad()


def run(cls, net, train_loader, accum):
    model = cls(net, accum)
    model.prepare()
    model.train(train_loader)


if __name__ == "__main__":
    run(Base, torch.nn.Linear(2, 2), torch.utils.data.DataLoader([]), 4)
# === it divides
import torch
import torch.nn.functional as F


class Base:
    def __init__(self, net, accum):
        self.net = net
        self.accum = accum
        self.optimizers = {}

    def prepare(self):
        self.optimizers["adam"] = torch.optim.Adam(self.net.parameters(), lr=1e-3)

    def train(self, loader, valid):
        for i, (x, y) in enumerate(loader, 1):
            (F.nll_loss(self.net(x), y) / self.accum).backward()
            if i % self.accum == 0 or i == len(loader):
                for name in self.optimizers:
                    self.optimizers[name].step()
                    self.optimizers[name].zero_grad()


def run(cls, net, loader, accum):
    engine = cls(net, accum)
    engine.prepare()
    engine.train(loader, None)


if __name__ == "__main__":
    run(Base, torch.nn.Linear(2, 2), torch.utils.data.DataLoader([]), 4)
# === it is run with a window of one
import torch
import torch.nn.functional as F


class Base:
    def __init__(self, net, accum):
        self.net = net
        self.accum = accum
        self.optimizers = {}

    def prepare(self):
        self.optimizers["adam"] = torch.optim.Adam(self.net.parameters(), lr=1e-3)

    def train(self, loader, valid):
        for i, (x, y) in enumerate(loader, 1):
            F.nll_loss(self.net(x), y).backward()
            if i % self.accum == 0:
                for name in self.optimizers:
                    self.optimizers[name].step()
                    self.optimizers[name].zero_grad()


def run(cls, net, loader):
    engine = cls(net, 1)
    engine.prepare()
    engine.train(loader, None)


if __name__ == "__main__":
    run(Base, torch.nn.Linear(2, 2), torch.utils.data.DataLoader([]))
# === a mode that is given, beside a class whose own train takes a loader
import torch
import torch.nn.functional as F


class Base:
    def train(self, loader, net, optimizer):
        for x, y in loader:
            optimizer.zero_grad()
            F.nll_loss(net(x), y).backward()
            optimizer.step()


def run(model, loader, valid, optimizer, frozen):
    for epoch in range(10):
        model.train(not frozen)
        for x, y in loader:
            optimizer.zero_grad()
            F.nll_loss(model(x), y).backward()
            optimizer.step()
        model.train(mode=False)
        with torch.no_grad():
            for x, y in valid:
                print(F.nll_loss(model(x), y))
