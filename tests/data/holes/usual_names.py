# === torch by a star import, under a name that nobody binds
from common.batch import *


def train(net, loader, epochs):
    optimizer = t.optim.Adam(net.parameters())
    scheduler = t.optim.lr_scheduler.StepLR(optimizer, 3)
    for epoch in range(epochs):
        scheduler.step()  # <- scheduler-before-optimizer
        for x, y in loader:
            optimizer.zero_grad()
            t.nn.functional.mse_loss(net(x), y).backward()
            optimizer.step()
# === right: a local name that is called like torch's
from common.batch import *


def train(net, loader, epochs):
    optimizer = t.optim.Adam(net.parameters())
    scheduler = t.optim.lr_scheduler.StepLR(optimizer, 3)
    for epoch in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            t.nn.functional.mse_loss(net(x), y).backward()
            optimizer.step()
        scheduler.step()
# === settings of the data, under `data`
from . import factory


def main(cfg, net):
    optimizer = factory.optimizer(cfg, net.parameters())
    for epoch in range(cfg.epochs):
        run(cfg.data.train, net, factory.loader(cfg.data.train), optimizer)


def run(cfg, net, loader, optimizer):
    net.train()
    for i, (x, y) in enumerate(loader):
        loss = factory.loss(net(x), y)
        loss.backward()  # <- unscaled-accumulation-loss
        if (i + 1) % cfg.n_grad_acc == 0:  # <- dropped-accumulation-tail
            optimizer.step()
            optimizer.zero_grad()
# === right: settings of the data, under `data`
from . import factory


def main(cfg, net):
    optimizer = factory.optimizer(cfg, net.parameters())
    for epoch in range(cfg.epochs):
        run(cfg.data.train, net, factory.loader(cfg.data.train), optimizer)


def run(cfg, net, loader, optimizer):
    net.train()
    for i, (x, y) in enumerate(loader):
        loss = factory.loss(net(x), y) / cfg.n_grad_acc
        loss.backward()
        if (i + 1) % cfg.n_grad_acc == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === an optimizer that is given or kept
import torch


class Trainer:
    def __init__(self, model=None, optimizer=None, config=None):
        self.model, self.optimizer, self.config = model, optimizer, config

    def train(self, model: torch.nn.Module = None, loader=None, optimizer: torch.optim.Optimizer = None):
        model = self.model = model or self.model
        optimizer = self.optimizer = optimizer or self.optimizer
        for i, batch in enumerate(loader):
            loss = model(**batch).loss
            loss.backward()  # <- unscaled-accumulation-loss
            if (i + 1) % self.config.grad_accum_steps == 0:  # <- dropped-accumulation-tail
                optimizer.step()
                optimizer.zero_grad()
# === right: one of two networks is none of the other
import torch


class Trainer:
    def __init__(self, model: torch.nn.Module, optimizer: torch.optim.Optimizer, ema: torch.nn.Module = None):
        self.model, self.optimizer, self.ema = model, optimizer, ema

    def train(self, loader, held_out):
        for epoch in range(3):
            self.model.train()
            for x, y in loader:
                self.optimizer.zero_grad()
                torch.nn.functional.mse_loss(self.model(x), y).backward()
                self.optimizer.step()
            net = self.ema or self.model
            net.eval()
            with torch.no_grad():
                print(sum(net(x).sum().item() for x, _ in held_out))
