# === an abstract method that clips by itself, in the first micro-batch of a window
from abc import ABC, abstractmethod

import torch


class Base(ABC):
    def __init__(self, model, accum):
        self.model, self.accum = model, accum
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    @abstractmethod
    def clip(self, limit):
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), limit)

    def fit(self, loader, limit):
        for i, (x, y) in enumerate(loader):
            loss = torch.nn.functional.cross_entropy(self.model(x), y) / self.accum
            loss.backward()
            if i % self.accum == 0:
                self.clip(limit)  # <- clip-per-micro-batch
            if (i + 1) % self.accum == 0 or i + 1 == len(loader):
                self.optimizer.step()
                self.optimizer.zero_grad()
# === right: an abstract method that clips by itself, before the step
from abc import ABC, abstractmethod

import torch


class Base(ABC):
    def __init__(self, model, accum):
        self.model, self.accum = model, accum
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    @abstractmethod
    def clip(self, limit):
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), limit)

    def fit(self, loader, limit):
        for i, (x, y) in enumerate(loader):
            loss = torch.nn.functional.cross_entropy(self.model(x), y) / self.accum
            loss.backward()
            if (i + 1) % self.accum == 0 or i + 1 == len(loader):
                self.clip(limit)
                self.optimizer.step()
                self.optimizer.zero_grad()
# === right: an abstract method that says nothing may clip, step and clear
from abc import ABC, abstractmethod

import torch


class Base(ABC):
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    @abstractmethod
    def update(self, limit):
        """Clips, steps and clears."""

    def fit(self, loader, limit):
        for x, y in loader:
            torch.nn.functional.cross_entropy(self.model(x), y).backward()
            self.update(limit)
