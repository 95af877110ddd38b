# === networks in a ModuleDict, put into evaluation mode all at once
import torch
from torch import nn


class Solver:
    def __init__(self):
        self.nets = nn.ModuleDict({"body": nn.Linear(3, 3), "head": nn.Linear(3, 2)})
        self.optimizer = torch.optim.Adam(self.nets.parameters())
        self.criterion = nn.CrossEntropyLoss()

    def train(self, loader):
        self.nets.train()
        for x, y in loader:
            self.optimizer.zero_grad()
            self.criterion(self.nets["head"](self.nets["body"](x)), y).backward()
            self.optimizer.step()

    def validate(self, loader):
        self.nets.eval()
        right = 0
        for x, y in loader:
            scores = self.nets["head"](self.nets["body"](x))  # <- validation-without-no-grad
            right += (scores.argmax(1) == y).sum().item()
        return right

    def fit(self, loader, held_out):
        for _ in range(10):
            self.train(loader)
            print(self.validate(held_out))
# === the same under no_grad
import torch
from torch import nn


class Solver:
    def __init__(self):
        self.nets = nn.ModuleDict({"body": nn.Linear(3, 3), "head": nn.Linear(3, 2)})
        self.optimizer = torch.optim.Adam(self.nets.parameters())
        self.criterion = nn.CrossEntropyLoss()

    def fit(self, loader, held_out):
        for _ in range(10):
            self.nets.train()
            for x, y in loader:
                self.optimizer.zero_grad()
                self.criterion(self.nets["head"](self.nets["body"](x)), y).backward()
                self.optimizer.step()
            self.nets.eval()
            with torch.no_grad():
                print(sum((self.nets["head"](self.nets["body"](x)).argmax(1) == y).sum().item() for x, y in held_out))
# === layers of a network, one by one
import torch
from torch import nn


def main(loader, held_out, criterion):
    net = nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 2))
    optimizer = torch.optim.Adam(net.parameters())
    for _ in range(10):
        net.train()
        for x, y in loader:
            optimizer.zero_grad()
            criterion(net[1](net[0](x)), y).backward()
            optimizer.step()
        net.eval()
        right = 0
        for x, y in held_out:
            right += (net[1](net[0](x)).argmax(1) == y).sum().item()  # <- validation-without-no-grad
        print(right)
# === a part that evaluates is held still
import torch
from torch import nn


def main(loader, held_out, criterion):
    nets = nn.ModuleDict({"guide": nn.Linear(3, 3), "head": nn.Linear(3, 2)})
    nets["guide"].requires_grad_(False)
    optimizer = torch.optim.Adam(nets["head"].parameters())
    for _ in range(10):
        nets.train()
        for x, y in loader:
            optimizer.zero_grad()
            criterion(nets["head"](x), y).backward()
            optimizer.step()
        nets.eval()
        for x, _ in held_out:
            print(nets["guide"](x).norm().item())
# === each network by its key
import torch


def run(nets, loader, criterion, optimizer=None):
    for key in nets:
        nets[key].train(optimizer is not None)
    for x, y in loader:
        loss = criterion(nets["head"](nets["body"](x)), y)  # <- validation-without-no-grad
        if optimizer is not None:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


def fit(nets, train, valid, criterion):
    optimizer = torch.optim.Adam([p for net in nets.values() for p in net.parameters()])
    for _ in range(10):
        run(nets, train, criterion, optimizer)
        run(nets, valid, criterion)
# === each network by its key, where gradients follow the mode
import torch


def run(nets, loader, criterion, optimizer=None):
    for key in nets:
        nets[key].train(optimizer is not None)
    for x, y in loader:
        with torch.set_grad_enabled(optimizer is not None):
            loss = criterion(nets["head"](nets["body"](x)), y)
        if optimizer is not None:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


def fit(nets, train, valid, criterion):
    optimizer = torch.optim.Adam([p for net in nets.values() for p in net.parameters()])
    for _ in range(10):
        run(nets, train, criterion, optimizer)
        run(nets, valid, criterion)
# === each network in turn, in a loop of its own beside that over the data
import torch


def validate(nets, loader):
    for net in nets.values():
        net.eval()
    right = 0
    for x, y in loader:
        right += (nets["head"](nets["body"](x)).argmax(1) == y).sum().item()  # <- validation-without-no-grad
    return right


def fit(nets, train, valid, criterion):
    optimizer = torch.optim.Adam([p for net in nets.values() for p in net.parameters()])
    for _ in range(10):
        for net in nets.values():
            net.train()
        for x, y in train:
            optimizer.zero_grad()
            criterion(nets["head"](nets["body"](x)), y).backward()
            optimizer.step()
        print(validate(nets, valid))
# === each network in turn, and one of them adapts
import torch


def adapt(nets, loader, criterion, optimizer):
    for net in nets.values():
        net.eval()
    for x, y in loader:
        optimizer.zero_grad()
        criterion(nets["head"](nets["body"](x)), y).backward()
        optimizer.step()


def fit(nets, train, valid, criterion):
    optimizer = torch.optim.Adam([p for net in nets.values() for p in net.parameters()])
    for _ in range(10):
        for net in nets.values():
            net.train()
        for x, y in train:
            optimizer.zero_grad()
            criterion(nets["head"](nets["body"](x)), y).backward()
            optimizer.step()
    adapt(nets, valid, criterion, optimizer)
# === networks in a ModuleDict go on in evaluation mode
import torch
from torch import nn


class Solver:
    def __init__(self):
        self.nets = nn.ModuleDict({"body": nn.Sequential(nn.Linear(3, 3), nn.Dropout()), "head": nn.Linear(3, 2)})
        self.optimizer = torch.optim.Adam(self.nets.parameters())
        self.criterion = nn.CrossEntropyLoss()

    @torch.no_grad()
    def validate(self, loader):
        self.nets.eval()
        return sum((self.nets["head"](self.nets["body"](x)).argmax(1) == y).sum().item() for x, y in loader)

    def fit(self, loader, held_out):
        self.nets.train()
        for _ in range(10):
            for x, y in loader:
                self.optimizer.zero_grad()
                self.criterion(self.nets["head"](self.nets["body"](x)), y).backward()
                self.optimizer.step()
            print(self.validate(held_out))  # <- missing-train-mode
# === networks in a ModuleDict are woken all at once
import torch
from torch import nn


class Solver:
    def __init__(self):
        self.nets = nn.ModuleDict({"body": nn.Sequential(nn.Linear(3, 3), nn.Dropout()), "head": nn.Linear(3, 2)})
        self.optimizer = torch.optim.Adam(self.nets.parameters())
        self.criterion = nn.CrossEntropyLoss()

    @torch.no_grad()
    def validate(self, loader):
        self.nets["body"].eval()
        self.nets["head"].eval()
        return sum((self.nets["head"](self.nets["body"](x)).argmax(1) == y).sum().item() for x, y in loader)

    def fit(self, loader, held_out):
        for _ in range(10):
            self.nets.train()
            for x, y in loader:
                self.optimizer.zero_grad()
                self.criterion(self.nets["head"](self.nets["body"](x)), y).backward()
                self.optimizer.step()
            print(self.validate(held_out))
# === networks in a ModuleDict without dropout and batch norm
import torch
from torch import nn


class Solver:
    def __init__(self):
        self.nets = nn.ModuleDict({"body": nn.Sequential(nn.Linear(3, 3), nn.ReLU()), "head": nn.Linear(3, 2)})
        self.optimizer = torch.optim.Adam(self.nets.parameters())
        self.criterion = nn.CrossEntropyLoss()

    @torch.no_grad()
    def validate(self, loader):
        self.nets.eval()
        return sum((self.nets["head"](self.nets["body"](x)).argmax(1) == y).sum().item() for x, y in loader)

    def fit(self, loader, held_out):
        self.nets.train()
        for _ in range(10):
            for x, y in loader:
                self.optimizer.zero_grad()
                self.criterion(self.nets["head"](self.nets["body"](x)), y).backward()
                self.optimizer.step()
            print(self.validate(held_out))
# === networks in a ModuleList without dropout and batch norm, but for the last
import torch
from torch import nn


def main(loader, held_out, criterion):
    nets = nn.ModuleList([nn.Linear(3, 3), nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1d(3))])
    optimizer = torch.optim.Adam(nets.parameters())
    nets.train()
    for _ in range(10):
        for x, y in loader:
            optimizer.zero_grad()
            criterion(nets[1](nets[0](x)), y).backward()
            optimizer.step()
        nets.eval()  # <- missing-train-mode
        with torch.no_grad():
            print(sum((nets[1](nets[0](x)).argmax(1) == y).sum().item() for x, y in held_out))
# === networks in a ModuleList without dropout and batch norm
import torch
from torch import nn


def main(loader, held_out, criterion):
    nets = nn.ModuleList([nn.Linear(3, 3), nn.Sequential(nn.Linear(3, 3), nn.LayerNorm(3))])
    optimizer = torch.optim.Adam(nets.parameters())
    nets.train()
    for _ in range(10):
        for x, y in loader:
            optimizer.zero_grad()
            criterion(nets[1](nets[0](x)), y).backward()
            optimizer.step()
        nets.eval()
        with torch.no_grad():
            print(sum((nets[1](nets[0](x)).argmax(1) == y).sum().item() for x, y in held_out))
