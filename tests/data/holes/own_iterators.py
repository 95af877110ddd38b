# === batches come through an iterator of the project's own
from torch import nn, optim
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


class Progress:
    def __init__(self, items, name):
        self.items, self.name = items, name

    def __iter__(self):
        self.there = iter(self.items)
        return self

    def __next__(self):
        print(self.name)
        return next(self.there)


def main(model, data, epochs):
    loader = DataLoader(data, sampler=DistributedSampler(data))
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):  # <- missing-set-epoch
        for i, (x, y) in enumerate(Progress(loader, "train")):
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
# === the same, and the sampler is told the epoch
from torch import nn, optim
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


class Progress:
    def __init__(self, items, name):
        self.items, self.name = items, name

    def __iter__(self):
        self.there = iter(self.items)
        return self

    def __next__(self):
        print(self.name)
        return next(self.there)


def main(model, data, epochs):
    loader = DataLoader(data, sampler=DistributedSampler(data))
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        loader.sampler.set_epoch(epoch)
        for i, (x, y) in enumerate(Progress(loader, "train")):
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
# === the iterator tells the sampler by itself, when it begins
from torch import nn, optim
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


class Rounds:
    def __init__(self, loader):
        self.loader, self.round = loader, 0

    def __iter__(self):
        self.loader.sampler.set_epoch(self.round)
        self.round += 1
        self.there = iter(self.loader)
        return self

    def __next__(self):
        return next(self.there)


def main(model, data, epochs):
    batches = Rounds(DataLoader(data, sampler=DistributedSampler(data)))
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        for x, y in batches:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
# === it draws from two loaders, and begins one of them anew by itself
from torch import nn, optim
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


class Both:
    def __init__(self, labelled, other):
        self.labelled, self.other = labelled, other

    def __iter__(self):
        self.first, self.second = iter(self.labelled), iter(self.other)
        return self

    def __next__(self):
        return next(self.first), next(self.second)


def main(model, data, more, epochs):
    batches = Both(DataLoader(data, sampler=DistributedSampler(data)), DataLoader(more))
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        for (x, y), z in batches:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
# === the sampler does not shuffle
from torch import nn, optim
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


class Progress:
    def __init__(self, items):
        self.items = items

    def __iter__(self):
        self.there = iter(self.items)
        return self

    def __next__(self):
        return next(self.there)


def main(model, data, epochs):
    loader = DataLoader(data, sampler=DistributedSampler(data, shuffle=False))
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        for x, y in Progress(loader):
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
