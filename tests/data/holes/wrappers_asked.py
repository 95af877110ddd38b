# === the wrapper is asked for its mode, and the network inside was put to sleep
import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.body = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.Dropout())

    def forward(self, x):
        return self.body(x)


def accuracy(net, held):
    net.eval()
    with torch.no_grad():
        return sum((net(x).argmax(1) == y).float().mean().item() for x, y in held)


def train(loader, held, rank):
    inside = Net()
    model = DistributedDataParallel(inside, device_ids=[rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step, (x, y) in enumerate(loader):
        if not model.training:
            model.train()
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
        if step > 0 and step % 500 == 0:
            print(accuracy(inside, held))  # <- missing-train-mode
# === the same question in other words
import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.body = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.Dropout())

    def forward(self, x):
        return self.body(x)


def accuracy(net, held):
    net.eval()
    with torch.no_grad():
        return sum((net(x).argmax(1) == y).float().mean().item() for x, y in held)


def train(loader, held, rank):
    inside = Net()
    model = DistributedDataParallel(inside, device_ids=[rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step, (x, y) in enumerate(loader):
        if model.training is False:
            model.train()
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
        if step > 0 and step % 500 == 0:
            print(accuracy(inside, held))  # <- missing-train-mode
# === right: the network inside is asked, and was put to sleep
import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.body = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.Dropout())

    def forward(self, x):
        return self.body(x)


def accuracy(net, held):
    net.eval()
    with torch.no_grad():
        return sum((net(x).argmax(1) == y).float().mean().item() for x, y in held)


def train(loader, held, rank):
    inside = Net()
    model = DistributedDataParallel(inside, device_ids=[rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step, (x, y) in enumerate(loader):
        if not inside.training:
            inside.train()
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
        if step > 0 and step % 500 == 0:
            print(accuracy(inside, held))
# === right: the wrapper is asked, and it was put to sleep
import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.body = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.Dropout())

    def forward(self, x):
        return self.body(x)


def accuracy(net, held):
    net.eval()
    with torch.no_grad():
        return sum((net(x).argmax(1) == y).float().mean().item() for x, y in held)


def train(loader, held, rank):
    inside = Net()
    model = DistributedDataParallel(inside, device_ids=[rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step, (x, y) in enumerate(loader):
        if not model.training:
            model.train()
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
        if step > 0 and step % 500 == 0:
            print(accuracy(model, held))
# === right: the network inside is asked, and the wrapper was put to sleep
import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.body = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.Dropout())

    def forward(self, x):
        return self.body(x)


def accuracy(net, held):
    net.eval()
    with torch.no_grad():
        return sum((net(x).argmax(1) == y).float().mean().item() for x, y in held)


def train(loader, held, rank):
    inside = Net()
    model = DistributedDataParallel(inside, device_ids=[rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step, (x, y) in enumerate(loader):
        if inside.training is False:
            model.train()
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
        if step > 0 and step % 500 == 0:
            print(accuracy(model, held))
