# === right: each network is put back
import torch
from torch import nn


class Ensemble:
    def __init__(self, models, criterion, train_loader, test_loader):
        self.model = models
        self.criterion = criterion
        self.optimizer = [m.optim for m in models]
        self.train_loader, self.test_loader = train_loader, test_loader

    def run(self, epochs):
        for epoch in range(epochs):
            self._train()
            print(self._eval())

    def _train(self):
        for m in self.model:
            m.train()
        for x, y in self.train_loader:
            for m, optim in zip(self.model, self.optimizer):
                optim.zero_grad()
                loss = self.criterion(m(x), y)
                loss.backward()
                optim.step()

    def _eval(self):
        for m in self.model:
            m.eval()
        total = 0.0
        with torch.no_grad():
            for x, y in self.test_loader:
                for m in self.model:
                    total += self.criterion(m(x), y).item()
        return total
# === right: each is put back by its place
import torch
from torch import nn


class Ensemble:
    def __init__(self, models, criterion, train_loader, test_loader):
        self.model = models
        self.criterion = criterion
        self.optimizer = [m.optim for m in models]
        self.train_loader, self.test_loader = train_loader, test_loader

    def run(self, epochs):
        for epoch in range(epochs):
            self._train()
            print(self._eval())

    def _train(self):
        for i in range(len(self.model)):
            self.model[i].train()
        for x, y in self.train_loader:
            for m, optim in zip(self.model, self.optimizer):
                optim.zero_grad()
                loss = self.criterion(m(x), y)
                loss.backward()
                optim.step()

    def _eval(self):
        for m in self.model:
            m.eval()
        total = 0.0
        with torch.no_grad():
            for x, y in self.test_loader:
                for m in self.model:
                    total += self.criterion(m(x), y).item()
        return total
# === right: by its place, both ways
import torch
from torch import nn


class Ensemble:
    def __init__(self, models, criterion, train_loader, test_loader):
        self.model = models
        self.criterion = criterion
        self.optimizer = [m.optim for m in models]
        self.train_loader, self.test_loader = train_loader, test_loader

    def run(self, epochs):
        for epoch in range(epochs):
            self._train()
            print(self._eval())

    def _train(self):
        for i in range(3):
            self.model[i].train()
        for x, y in self.train_loader:
            for i in range(3):
                m, optim = self.model[i], self.optimizer[i]
                optim.zero_grad()
                loss = self.criterion(m(x), y)
                loss.backward()
                optim.step()

    def _eval(self):
        for i in range(3):
            self.model[i].eval()
        total = 0.0
        with torch.no_grad():
            for x, y in self.test_loader:
                for i in range(3):
                    total += self.criterion(self.model[i](x), y).item()
        return total
# === right: networks in a dictionary
import torch
from torch import nn


class Ensemble:
    def __init__(self, models, criterion, train_loader, test_loader):
        self.model = models
        self.criterion = criterion
        self.optimizer = [m.optim for m in models.values()]
        self.train_loader, self.test_loader = train_loader, test_loader

    def run(self, epochs):
        for epoch in range(epochs):
            self._train()
            print(self._eval())

    def _train(self):
        for m in self.model.values():
            m.train()
        for x, y in self.train_loader:
            for m, optim in zip(self.model.values(), self.optimizer):
                optim.zero_grad()
                loss = self.criterion(m(x), y)
                loss.backward()
                optim.step()

    def _eval(self):
        for m in self.model.values():
            m.eval()
        total = 0.0
        with torch.no_grad():
            for x, y in self.test_loader:
                for m in self.model.values():
                    total += self.criterion(m(x), y).item()
        return total
# === the first alone is put back
import torch
from torch import nn


class Ensemble:
    def __init__(self, models, criterion, train_loader, test_loader):
        self.model = models
        self.criterion = criterion
        self.optimizer = [m.optim for m in models]
        self.train_loader, self.test_loader = train_loader, test_loader

    def run(self, epochs):
        for epoch in range(epochs):
            self._train()
            print(self._eval())  # <- missing-train-mode

    def _train(self):
        self.model[0].train()
        for x, y in self.train_loader:
            for m, optim in zip(self.model, self.optimizer):
                optim.zero_grad()
                loss = self.criterion(m(x), y)
                loss.backward()
                optim.step()

    def _eval(self):
        for m in self.model:
            m.eval()
        total = 0.0
        with torch.no_grad():
            for x, y in self.test_loader:
                for m in self.model:
                    total += self.criterion(m(x), y).item()
        return total
# === all but the first are put back
import torch
from torch import nn


class Ensemble:
    def __init__(self, models, criterion, train_loader, test_loader):
        self.model = models
        self.criterion = criterion
        self.optimizer = [m.optim for m in models]
        self.train_loader, self.test_loader = train_loader, test_loader

    def run(self, epochs):
        for epoch in range(epochs):
            self._train()
            print(self._eval())  # <- missing-train-mode

    def _train(self):
        for m in self.model[1:]:
            m.train()
        for x, y in self.train_loader:
            for m, optim in zip(self.model, self.optimizer):
                optim.zero_grad()
                loss = self.criterion(m(x), y)
                loss.backward()
                optim.step()

    def _eval(self):
        for m in self.model:
            m.eval()
        total = 0.0
        with torch.no_grad():
            for x, y in self.test_loader:
                for m in self.model:
                    total += self.criterion(m(x), y).item()
        return total
# === those of another list are put back
import torch
from torch import nn


class Ensemble:
    def __init__(self, models, criterion, train_loader, test_loader):
        self.model = models
        self.criterion = criterion
        self.optimizer = [m.optim for m in models]
        self.train_loader, self.test_loader = train_loader, test_loader

    def run(self, epochs):
        for epoch in range(epochs):
            self._train()
            print(self._eval())  # <- missing-train-mode

    def _train(self):
        for m in self.teachers:
            m.train()
        for x, y in self.train_loader:
            for m, optim in zip(self.model, self.optimizer):
                optim.zero_grad()
                loss = self.criterion(m(x), y)
                loss.backward()
                optim.step()

    def _eval(self):
        for m in self.model:
            m.eval()
        total = 0.0
        with torch.no_grad():
            for x, y in self.test_loader:
                for m in self.model:
                    total += self.criterion(m(x), y).item()
        return total
# === none is put back
import torch
from torch import nn


class Ensemble:
    def __init__(self, models, criterion, train_loader, test_loader):
        self.model = models
        self.criterion = criterion
        self.optimizer = [m.optim for m in models]
        self.train_loader, self.test_loader = train_loader, test_loader

    def run(self, epochs):
        for epoch in range(epochs):
            self._train()
            print(self._eval())  # <- missing-train-mode

    def _train(self):
        for x, y in self.train_loader:
            for m, optim in zip(self.model, self.optimizer):
                optim.zero_grad()
                loss = self.criterion(m(x), y)
                loss.backward()
                optim.step()

    def _eval(self):
        for m in self.model:
            m.eval()
        total = 0.0
        with torch.no_grad():
            for x, y in self.test_loader:
                for m in self.model:
                    total += self.criterion(m(x), y).item()
        return total
