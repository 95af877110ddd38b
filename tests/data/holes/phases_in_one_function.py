# === one function for both, told apart by what it is given
import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, train_loader, val_loader):
        self.model, self.train_loader, self.val_loader = model, train_loader, val_loader
        self.optimizer = torch.optim.Adam(model.parameters())

    def run(self, loader, training=True):
        self.model.train() if training else self.model.eval()
        total = 0.0
        for x, y in loader:
            loss = F.cross_entropy(self.model(x), y)  # <- validation-without-no-grad
            if training:
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
            total += loss.item()
        return total

    def fit(self):
        for _ in range(10):
            self.run(self.train_loader)
            print(self.run(self.val_loader, training=False))
# === the same, where gradients follow
import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, train_loader, val_loader):
        self.model, self.train_loader, self.val_loader = model, train_loader, val_loader
        self.optimizer = torch.optim.Adam(model.parameters())

    def run(self, loader, training=True):
        self.model.train() if training else self.model.eval()
        total = 0.0
        with torch.set_grad_enabled(training):
            for x, y in loader:
                loss = F.cross_entropy(self.model(x), y)
                if training:
                    self.optimizer.zero_grad()
                    loss.backward()
                    self.optimizer.step()
                total += loss.item()
        return total

    def fit(self):
        for _ in range(10):
            self.run(self.train_loader)
            print(self.run(self.val_loader, training=False))
# === the same, where its callers do
import torch
import torch.nn.functional as F


def run(model, loader, optimizer=None):
    model.train(optimizer is not None)
    for x, y in loader:
        loss = F.cross_entropy(model(x), y)
        if optimizer is not None:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


def fit(model, train, valid):
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(10):
        run(model, train, optimizer)
        with torch.no_grad():
            run(model, valid)
# === phases of an epoch
import torch


def fit(model, loaders, criterion):
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(10):
        for phase in ["train", "dev"]:
            if phase == "train":
                model.train()
            else:
                model.eval()
            for x, y in loaders[phase]:
                optimizer.zero_grad()
                loss = criterion(model(x), y)  # <- validation-without-no-grad
                if phase == "train":
                    loss.backward()
                    optimizer.step()
# === phases of an epoch, each with its context
import contextlib

import torch


def fit(model, loaders, criterion):
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(10):
        for phase in ["train", "dev"]:
            model.train(phase == "train")
            context = contextlib.nullcontext() if phase == "train" else torch.no_grad()
            for x, y in loaders[phase]:
                optimizer.zero_grad()
                with context:
                    loss = criterion(model(x), y)
                if phase == "train":
                    loss.backward()
                    optimizer.step()
# === phases of an epoch, whose parameters follow
import torch


def fit(model, loaders, criterion):
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(10):
        for phase in ["train", "dev"]:
            model.train(phase == "train")
            model.requires_grad_(phase == "train")
            for x, y in loaders[phase]:
                optimizer.zero_grad()
                loss = criterion(model(x), y)
                if phase == "train":
                    loss.backward()
                    optimizer.step()
# === phases in a step of their own
import torch


def step(model, optimizer, criterion, batch, phase):
    training = phase == "train"
    if training:
        model.train()
    else:
        model.eval()
    x, y = batch
    optimizer.zero_grad()
    loss = criterion(model(x), y)  # <- validation-without-no-grad
    if training:
        loss.backward()
        optimizer.step()
    return loss.item()


def fit(model, train, held_out, criterion):
    optimizer = torch.optim.Adam(model.parameters())
    loaders = {"train": train, "dev": held_out}
    for _ in range(10):
        for phase, loader in loaders.items():
            print(sum(step(model, optimizer, criterion, batch, phase) for batch in loader))
# === contexts that nobody enters
import torch


def run(net, loader, optimizer=None):
    if optimizer is not None:
        torch.enable_grad()
        net.train()
    else:
        torch.no_grad()
        net.eval()
    total = 0
    for x in loader:
        loss = net(x).mean()  # <- validation-without-no-grad
        if optimizer is not None:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        total += loss.item()
    return total


def main(net, train, valid):
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(3):
        run(net, train, optimizer)
        run(net, valid)
# === right: it is entered, if only for those who want it
import torch


def run(net, loader, optimizer=None):
    net.train(optimizer is not None)
    total = 0
    for x in loader:
        with torch.enable_grad():
            loss = net(x).mean()
        if optimizer is not None:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        total += loss.item()
    return total


def main(net, train, valid):
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(3):
        run(net, train, optimizer)
        run(net, valid)
