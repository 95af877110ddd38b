# === each fold has a sampler of its own, and goes through it for several epochs
import torch
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler


def train(folds, net, epochs):
    for fold in folds:
        sampler = DistributedSampler(fold)
        loader = DataLoader(fold, sampler=sampler)
        model = DistributedDataParallel(net)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for epoch in range(epochs):  # <- missing-set-epoch
            for x, y in loader:
                optimizer.zero_grad()
                torch.nn.functional.mse_loss(model(x), y).backward()
                optimizer.step()


# === a trainer is made for each task, and makes its sampler
import torch
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler


class Trainer:
    def __init__(self, net, data):
        self.model = DistributedDataParallel(net)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)
        self.loader = DataLoader(data, sampler=DistributedSampler(data))

    def learn(self, epochs):
        for epoch in range(epochs):  # <- missing-set-epoch
            for x, y in self.loader:
                self.optimizer.zero_grad()
                torch.nn.functional.mse_loss(self.model(x), y).backward()
                self.optimizer.step()


def main(net, tasks, epochs):
    for data in tasks:
        Trainer(net, data).learn(epochs)


# === right: each fold has a sampler of its own, which is told the epoch
import torch
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler


def train(folds, net, epochs):
    for fold in folds:
        sampler = DistributedSampler(fold)
        loader = DataLoader(fold, sampler=sampler)
        model = DistributedDataParallel(net)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for epoch in range(epochs):
            sampler.set_epoch(epoch)
            for x, y in loader:
                optimizer.zero_grad()
                torch.nn.functional.mse_loss(model(x), y).backward()
                optimizer.step()


# === right: a trainer is made for each task, and tells its sampler
import torch
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler


class Trainer:
    def __init__(self, net, data):
        self.model = DistributedDataParallel(net)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)
        self.loader = DataLoader(data, sampler=DistributedSampler(data))

    def learn(self, epochs):
        for epoch in range(epochs):
            self.loader.sampler.set_epoch(epoch)
            for x, y in self.loader:
                self.optimizer.zero_grad()
                torch.nn.functional.mse_loss(self.model(x), y).backward()
                self.optimizer.step()


def main(net, tasks, epochs):
    for data in tasks:
        Trainer(net, data).learn(epochs)


# === the phase of an epoch is no epoch
import torch
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler


def train(data, held_out, net, epochs):
    loaders = {
        "train": DataLoader(data, sampler=DistributedSampler(data)),
        "valid": DataLoader(held_out, sampler=DistributedSampler(held_out, shuffle=False)),
    }
    model = DistributedDataParallel(net)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):  # <- missing-set-epoch
        for phase in ["train", "valid"]:
            model.train(phase == "train")
            for x, y in loaders[phase]:
                with torch.set_grad_enabled(phase == "train"):
                    loss = torch.nn.functional.mse_loss(model(x), y)
                if phase == "train":
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()


# === right: the phase of an epoch is no epoch
import torch
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler


def train(data, held_out, net, epochs):
    loaders = {
        "train": DataLoader(data, sampler=DistributedSampler(data)),
        "valid": DataLoader(held_out, sampler=DistributedSampler(held_out, shuffle=False)),
    }
    model = DistributedDataParallel(net)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        loaders["train"].sampler.set_epoch(epoch)
        for phase in ["train", "valid"]:
            model.train(phase == "train")
            for x, y in loaders[phase]:
                with torch.set_grad_enabled(phase == "train"):
                    loss = torch.nn.functional.mse_loss(model(x), y)
                if phase == "train":
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
