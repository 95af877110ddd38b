# === a network that a property hands out is evaluated, and left so
import torch
from torch import nn
from accelerate import Accelerator


class Trainer:
    def __init__(self, model: nn.Module, loader, val_loader, steps: int, every: int = 100):
        self.accelerator = Accelerator()
        self.optimizer = torch.optim.Adam(model.parameters())
        self.model, self.loader, self.val_loader = self.accelerator.prepare(model, loader, val_loader)
        self.steps, self.every = steps, every

    @property
    def plain(self):
        return self.accelerator.unwrap_model(self.model)

    def fit(self):
        step = 0
        batches = iter(self.loader)
        held = iter(self.val_loader)
        while step < self.steps:
            self.optimizer.zero_grad()
            loss = self.model(next(batches))
            self.accelerator.backward(loss)
            self.optimizer.step()
            step += 1
            if step % self.every == 0:
                self.plain.eval()  # <- missing-train-mode
                with torch.no_grad():
                    for _ in range(5):
                        value = self.plain(next(held))
                print(value)


# === right: a network that a property hands out goes back to training
import torch
from torch import nn
from accelerate import Accelerator


class Trainer:
    def __init__(self, model: nn.Module, loader, val_loader, steps: int, every: int = 100):
        self.accelerator = Accelerator()
        self.optimizer = torch.optim.Adam(model.parameters())
        self.model, self.loader, self.val_loader = self.accelerator.prepare(model, loader, val_loader)
        self.steps, self.every = steps, every

    @property
    def plain(self):
        return self.accelerator.unwrap_model(self.model)

    def fit(self):
        step = 0
        batches = iter(self.loader)
        held = iter(self.val_loader)
        while step < self.steps:
            self.optimizer.zero_grad()
            loss = self.model(next(batches))
            self.accelerator.backward(loss)
            self.optimizer.step()
            step += 1
            if step % self.every == 0:
                self.plain.eval()
                with torch.no_grad():
                    for _ in range(5):
                        value = self.plain(next(held))
                self.plain.train()
                print(value)


# === a network that a property hands out is evaluated with gradients on
import torch
from functools import cached_property
from torch.nn.parallel import DistributedDataParallel


class Trainer:
    def __init__(self, model, loader):
        self.wrapped = DistributedDataParallel(model)
        self.optimizer = torch.optim.Adam(model.parameters())
        self.loader = loader

    @cached_property
    def net(self):
        return self.wrapped

    def validate(self, held):
        self.net.eval()
        right = 0
        for x, y in held:
            right += (self.net(x).argmax(-1) == y).sum()  # <- validation-without-no-grad
        self.net.train()
        return right

    def fit(self, held, epochs):
        for epoch in range(epochs):
            for x, y in self.loader:
                self.optimizer.zero_grad()
                loss = torch.nn.functional.cross_entropy(self.net(x), y)
                loss.backward()
                self.optimizer.step()
            print(self.validate(held))


# === right: a network that a property hands out is evaluated without gradients
import torch
from functools import cached_property
from torch.nn.parallel import DistributedDataParallel


class Trainer:
    def __init__(self, model, loader):
        self.wrapped = DistributedDataParallel(model)
        self.optimizer = torch.optim.Adam(model.parameters())
        self.loader = loader

    @cached_property
    def net(self):
        return self.wrapped

    @torch.no_grad()
    def validate(self, held):
        self.net.eval()
        right = 0
        for x, y in held:
            right += (self.net(x).argmax(-1) == y).sum()
        self.net.train()
        return right

    def fit(self, held, epochs):
        for epoch in range(epochs):
            for x, y in self.loader:
                self.optimizer.zero_grad()
                loss = torch.nn.functional.cross_entropy(self.net(x), y)
                loss.backward()
                self.optimizer.step()
            print(self.validate(held))
