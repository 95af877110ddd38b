# === statistics of a network are measured between epochs, with a window that goes on from one into the next
import torch
from torch import nn


def measure(model, loader):
    with torch.no_grad():
        for x, _ in loader:
            model(x)


def fit(model, first, second, epochs):
    done = 0
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        model.train()
        for x, y in (first, second):
            loss = nn.functional.mse_loss(model(x), y)
            loss.backward()  # <- unscaled-accumulation-loss
            done += 1
            if done % 3 == 0:
                optimizer.step()
                optimizer.zero_grad()
        measure(model, (first, second))
# === the same, and the loss is divided by three
import torch
from torch import nn


def measure(model, loader):
    with torch.no_grad():
        for x, _ in loader:
            model(x)


def fit(model, first, second, epochs):
    done = 0
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        model.train()
        for x, y in (first, second):
            loss = nn.functional.mse_loss(model(x), y) / 3
            loss.backward()
            done += 1
            if done % 3 == 0:
                optimizer.step()
                optimizer.zero_grad()
        measure(model, (first, second))
# === what was given no class makes an optimizer all the same
import torch
from torch import nn


def class_named(name):
    if name in CLASSES:
        return CLASSES[name]
    elif name.startswith("Lazy"):
        pass
    else:
        raise ValueError(name)


CLASSES = {}


def build_optimizer(network, settings):
    return class_named(settings.name)(network.parameters(), lr=settings.rate)


class Trainer:
    def __init__(self, network, settings):
        self.network = network
        self.settings = settings
        self.optimizer = build_optimizer(network, settings)

    def fit(self, loader):
        for i, (x, y) in enumerate(loader):
            loss = nn.functional.mse_loss(self.network(x), y)
            loss.backward()  # <- unscaled-accumulation-loss
            if (i + 1) % self.settings.window == 0:
                self.optimizer.step()
                self.optimizer.zero_grad()
        self.optimizer.step()
        self.optimizer.zero_grad()
# === the same, and the loss is divided
import torch
from torch import nn


def class_named(name):
    if name in CLASSES:
        return CLASSES[name]
    elif name.startswith("Lazy"):
        pass
    else:
        raise ValueError(name)


CLASSES = {}


def build_optimizer(network, settings):
    return class_named(settings.name)(network.parameters(), lr=settings.rate)


class Trainer:
    def __init__(self, network, settings):
        self.network = network
        self.settings = settings
        self.optimizer = build_optimizer(network, settings)

    def fit(self, loader):
        for i, (x, y) in enumerate(loader):
            loss = nn.functional.mse_loss(self.network(x), y) / self.settings.window
            loss.backward()
            if (i + 1) % self.settings.window == 0:
                self.optimizer.step()
                self.optimizer.zero_grad()
        self.optimizer.step()
        self.optimizer.zero_grad()
