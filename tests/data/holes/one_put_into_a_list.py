"""A sampler that is told the epoch where there are several devices; what may be one is put into a list first."""

# === right: as many devices as there are, of which one alone would be put into a tuple
import torch
from torch.utils.data import DataLoader, DistributedSampler


class Runner:
    def __init__(self, net, ids=0):
        if not isinstance(ids, (list, tuple)):
            ids = (ids,)
        self.ids, self.net = ids, net.to(f"cuda:{ids[0]}")
        self.optimizer = torch.optim.SGD(net.parameters(), 0.1)

    def run(self, loader, epochs, sampler=None):
        epoch = 0
        while epoch < epochs:
            epoch += 1
            if len(self.ids) > 1:
                sampler.set_epoch(epoch)
            for x, y in loader:
                self.optimizer.zero_grad()
                torch.nn.functional.mse_loss(self.net(x), y).backward()
                self.optimizer.step()


def main(net, data):
    count = torch.cuda.device_count()
    sampler = DistributedSampler(data) if count > 1 else None
    loader = DataLoader(data, 8, sampler=sampler)
    Runner(net, tuple(range(count))).run(loader, 30, sampler)
# === right: into a list
import torch
from torch.utils.data import DataLoader, DistributedSampler


class Runner:
    def __init__(self, net, ids=0):
        if not isinstance(ids, (list, tuple)):
            ids = [ids]
        self.ids, self.net = ids, net.to(f"cuda:{ids[0]}")
        self.optimizer = torch.optim.SGD(net.parameters(), 0.1)

    def run(self, loader, epochs, sampler=None):
        epoch = 0
        while epoch < epochs:
            epoch += 1
            if len(self.ids) > 1:
                sampler.set_epoch(epoch)
            for x, y in loader:
                self.optimizer.zero_grad()
                torch.nn.functional.mse_loss(self.net(x), y).backward()
                self.optimizer.step()


def main(net, data):
    count = torch.cuda.device_count()
    sampler = DistributedSampler(data) if count > 1 else None
    loader = DataLoader(data, 8, sampler=sampler)
    Runner(net, list(range(count))).run(loader, 30, sampler)
# === right: whoever calls it says which devices
import torch
from torch.utils.data import DataLoader, DistributedSampler


class Runner:
    def __init__(self, net, ids=0):
        if not isinstance(ids, (list, tuple)):
            ids = (ids,)
        self.ids, self.net = ids, net.to(f"cuda:{ids[0]}")
        self.optimizer = torch.optim.SGD(net.parameters(), 0.1)

    def run(self, loader, epochs, sampler=None):
        epoch = 0
        while epoch < epochs:
            epoch += 1
            if len(self.ids) > 1:
                sampler.set_epoch(epoch)
            for x, y in loader:
                self.optimizer.zero_grad()
                torch.nn.functional.mse_loss(self.net(x), y).backward()
                self.optimizer.step()


def main(net, data, ids):
    sampler = DistributedSampler(data) if len(ids) > 1 else None
    loader = DataLoader(data, 8, sampler=sampler)
    Runner(net, ids).run(loader, 30, sampler)
# === one device, by its number: nobody tells the sampler
import torch
from torch.utils.data import DataLoader, DistributedSampler


class Runner:
    def __init__(self, net, ids=0):
        if not isinstance(ids, (list, tuple)):
            ids = (ids,)
        self.ids, self.net = ids, net.to(f"cuda:{ids[0]}")
        self.optimizer = torch.optim.SGD(net.parameters(), 0.1)

    def run(self, loader, epochs, sampler=None):
        epoch = 0
        while epoch < epochs:  # <- missing-set-epoch
            epoch += 1
            if len(self.ids) > 1:
                sampler.set_epoch(epoch)
            for x, y in loader:
                self.optimizer.zero_grad()
                torch.nn.functional.mse_loss(self.net(x), y).backward()
                self.optimizer.step()


def main(net, data):
    sampler = DistributedSampler(data)
    loader = DataLoader(data, 8, sampler=sampler)
    Runner(net, 0).run(loader, 30, sampler)
# === nobody tells the sampler, however many there are
import torch
from torch.utils.data import DataLoader, DistributedSampler


class Runner:
    def __init__(self, net, ids=0):
        if not isinstance(ids, (list, tuple)):
            ids = (ids,)
        self.ids, self.net = ids, net.to(f"cuda:{ids[0]}")
        self.optimizer = torch.optim.SGD(net.parameters(), 0.1)

    def run(self, loader, epochs, sampler=None):
        epoch = 0
        while epoch < epochs:  # <- missing-set-epoch
            epoch += 1
            if len(self.ids) > 1:
                print(self.ids)
            for x, y in loader:
                self.optimizer.zero_grad()
                torch.nn.functional.mse_loss(self.net(x), y).backward()
                self.optimizer.step()


def main(net, data):
    count = torch.cuda.device_count()
    sampler = DistributedSampler(data) if count > 1 else None
    loader = DataLoader(data, 8, sampler=sampler)
    Runner(net, tuple(range(count))).run(loader, 30, sampler)
