# === right: a count that goes on over the epochs, and a network in each fold
import torch
from torch import nn
import mylib


class Trainer:
    def __init__(self, model, optimizer, criterion, loader, config):
        self.model, self.optimizer, self.criterion = model, optimizer, criterion
        self.loader = loader
        self.config = config
        self.forward_count = 0
        self.steps = 0
        self.done = False

    def run(self):
        while True:
            self._epoch()
            if self.done:
                break

    def _step(self, x, y):
        loss = self.criterion(self.model(x), y) / self.config["accum_grads"]
        loss.backward()
        self.forward_count += 1
        if self.forward_count == self.config["accum_grads"]:
            self.optimizer.step()
            self.optimizer.zero_grad()
            self.forward_count = 0
            self.steps += 1
            if self.steps >= self.config["max"]:
                self.done = True

    def _epoch(self):
        self.model.train()
        for x, y in self.loader:
            self._step(x, y)
            if self.done:
                return


for fold in range(5):
    model = mylib.Net(config["width"])
    optimizer_class = getattr(mylib.optimizers, config["optimizer_type"])
    optimizer = optimizer_class(model.parameters(), **config["optimizer_params"])
    trainer = Trainer(model.to(device), optimizer, nn.MSELoss(), loaders[fold], config)
    trainer.run()
# === right: a long `__init__`
import torch
from torch import nn
import mylib


class Trainer:
    def __init__(self, model, optimizer, criterion, loader, config):
        self.model, self.optimizer, self.criterion = model, optimizer, criterion
        self.loader = loader
        self.config = config
        self.forward_count = 0
        self.steps = 0
        self.done = False
        self.best = 0.0
        self.epochs = 0
        self.losses = []
        self.scores = []
        self.name = "run"
        self.patience = 3
        self.seen = 0
        self.started = None
        self.stopped = None
        self.verbose = True
        self.history = {}
        self.path = None

    def run(self):
        while True:
            self._epoch()
            if self.done:
                break

    def _step(self, x, y):
        loss = self.criterion(self.model(x), y) / self.config["accum_grads"]
        loss.backward()
        self.forward_count += 1
        if self.forward_count == self.config["accum_grads"]:
            self.optimizer.step()
            self.optimizer.zero_grad()
            self.forward_count = 0
            self.steps += 1
            if self.steps >= self.config["max"]:
                self.done = True

    def _epoch(self):
        self.model.train()
        for x, y in self.loader:
            self._step(x, y)
            if self.done:
                return


for fold in range(5):
    model = mylib.Net(config["width"])
    optimizer_class = getattr(mylib.optimizers, config["optimizer_type"])
    optimizer = optimizer_class(model.parameters(), **config["optimizer_params"])
    trainer = Trainer(model.to(device), optimizer, nn.MSELoss(), loaders[fold], config)
    trainer.run()
# === right: a factory makes the optimizer
import torch
from torch import nn
import mylib


class Trainer:
    def __init__(self, model, optimizer, criterion, loader, config):
        self.model, self.optimizer, self.criterion = model, optimizer, criterion
        self.loader = loader
        self.config = config
        self.forward_count = 0
        self.steps = 0
        self.done = False

    def run(self):
        while True:
            self._epoch()
            if self.done:
                break

    def _step(self, x, y):
        loss = self.criterion(self.model(x), y) / self.config["accum_grads"]
        loss.backward()
        self.forward_count += 1
        if self.forward_count == self.config["accum_grads"]:
            self.optimizer.step()
            self.optimizer.zero_grad()
            self.forward_count = 0
            self.steps += 1
            if self.steps >= self.config["max"]:
                self.done = True

    def _epoch(self):
        self.model.train()
        for x, y in self.loader:
            self._step(x, y)
            if self.done:
                return


for fold in range(5):
    model = mylib.Net(config["width"])
    optimizer_class = getattr(mylib.optimizers, config["optimizer_type"])
    optimizer = mylib.make_optimizer(model, config)
    trainer = Trainer(model.to(device), optimizer, nn.MSELoss(), loaders[fold], config)
    trainer.run()
# === a count that begins anew with each epoch
import torch
from torch import nn
import mylib


class Trainer:
    def __init__(self, model, optimizer, criterion, loader, config):
        self.model, self.optimizer, self.criterion = model, optimizer, criterion
        self.loader = loader
        self.config = config
        self.forward_count = 0
        self.steps = 0
        self.done = False

    def run(self):
        while True:
            self._epoch()
            if self.done:
                break

    def _step(self, x, y):
        loss = self.criterion(self.model(x), y) / self.config["accum_grads"]
        loss.backward()
        self.forward_count += 1
        if self.forward_count == self.config["accum_grads"]:  # <- dropped-accumulation-tail
            self.optimizer.step()
            self.optimizer.zero_grad()
            self.forward_count = 0
            self.steps += 1
            if self.steps >= self.config["max"]:
                self.done = True

    def _epoch(self):
        self.model.train()
        self.forward_count = 0
        for x, y in self.loader:
            self._step(x, y)
            if self.done:
                return


for fold in range(5):
    model = mylib.Net(config["width"])
    optimizer_class = getattr(mylib.optimizers, config["optimizer_type"])
    optimizer = optimizer_class(model.parameters(), **config["optimizer_params"])
    trainer = Trainer(model.to(device), optimizer, nn.MSELoss(), loaders[fold], config)
    trainer.run()
# === one optimizer for all folds
import torch
from torch import nn
import mylib


class Trainer:
    def __init__(self, model, optimizer, criterion, loader, config):
        self.model, self.optimizer, self.criterion = model, optimizer, criterion
        self.loader = loader
        self.config = config
        self.forward_count = 0
        self.steps = 0
        self.done = False

    def run(self):
        while True:
            self._epoch()
            if self.done:
                break

    def _step(self, x, y):
        loss = self.criterion(self.model(x), y) / self.config["accum_grads"]
        loss.backward()
        self.forward_count += 1
        if self.forward_count == self.config["accum_grads"]:  # <- dropped-accumulation-tail
            self.optimizer.step()
            self.optimizer.zero_grad()
            self.forward_count = 0
            self.steps += 1
            if self.steps >= self.config["max"]:
                self.done = True

    def _epoch(self):
        self.model.train()
        for x, y in self.loader:
            self._step(x, y)
            if self.done:
                return


model = mylib.Net(3)
optimizer = torch.optim.Adam(model.parameters())
for fold in range(5):
    optimizer_class = getattr(mylib.optimizers, config["optimizer_type"])
    trainer = Trainer(model.to(device), optimizer, nn.MSELoss(), loaders[fold], config)
    trainer.run()
