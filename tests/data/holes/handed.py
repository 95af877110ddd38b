# === a loss that has run backward is averaged for the log, undivided
import numpy as np
import torch

from project import util


def train(model, loader, options):
    optimizer = torch.optim.SGD(model.parameters())
    total = 0.0
    for i, (x, y) in enumerate(loader):
        loss = model(x, labels=y)[0]
        loss.backward()  # <- unscaled-accumulation-loss
        if (i + 1) % options.accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
        loss = util.average_main(loss, options)
        total += loss.item()
        util.weighted_average(np.mean(options.scores), options)
# === a loss is averaged by nobody knows what before it runs backward
import torch

from project import util


def train(model, loader, options):
    optimizer = torch.optim.SGD(model.parameters())
    for i, (x, y) in enumerate(loader):
        loss = model(x, labels=y)[0]
        loss = util.average_window(loss, options)
        loss.backward()
        if (i + 1) % options.accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === a graph that is kept: the second loss is handed on, and may yet run backward
import torch

from project import util


def train(model, loader, options):
    optimizer = torch.optim.SGD(model.parameters())
    for i, (x, y) in enumerate(loader):
        first, second = model(x, labels=y)
        first.backward(retain_graph=True)
        util.train_on(second, options.accum)
        if (i + 1) % options.accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === an optimizer that is moved to another device, off by one
import torch
import torch.nn.functional as F

from project.util import optimizer_to


def train(model, loader, accum):
    optimizer = torch.optim.SGD(model.parameters())
    for i, (x, y) in enumerate(loader):
        (F.cross_entropy(model(x), y) / accum).backward()
        if i % accum == 0:  # <- accumulation-off-by-one
            optimizer.step()
            optimizer.zero_grad()
            optimizer_to(optimizer, "cpu")
            optimizer_to(optimizer, "cuda")
# === a record of losses is divided as a whole
import torch


def train(agent, data, accum, rounds):
    optimizer = torch.optim.Adam(agent.parameters())
    for _ in range(rounds):
        optimizer.zero_grad()
        for _ in range(accum):
            losses = agent.compute_loss(data.sample()) / accum
            total = losses.total
            total.backward()
        optimizer.step()
# === a record of losses is not divided
import torch


def train(agent, data, accum, rounds):
    optimizer = torch.optim.Adam(agent.parameters())
    for _ in range(rounds):
        optimizer.zero_grad()
        for _ in range(accum):
            losses = agent.compute_loss(data.sample())
            total = losses.total
            total.backward()  # <- unscaled-accumulation-loss
        optimizer.step()
# === one of two losses that are divided each
import torch
import torch.nn.functional as F


def train(model, loader, accum):
    optimizer = torch.optim.SGD(model.parameters())
    for i, (x, y) in enumerate(loader):
        out = model(x)
        losses = F.cross_entropy(out, y, reduction="none") / accum + out.square().mean(1) / accum
        losses[0].backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === an optimizer handed over under a name that says nothing
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, optimizer_or_lr):
        self.model = model
        self.optimizer_or_lr = optimizer_or_lr

    def train(self, loader, accum):
        opt = self.optimizer_or_lr
        for i, (x, y) in enumerate(loader):
            loss = F.cross_entropy(self.model(x), y)
            loss.backward()  # <- unscaled-accumulation-loss
            if (i + 1) % accum == 0 or i + 1 == len(loader):
                opt.step()
                opt.zero_grad()
# === right: an optimizer handed over under a name that says nothing
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, optimizer_or_lr):
        self.model = model
        self.optimizer_or_lr = optimizer_or_lr

    def train(self, loader, accum):
        opt = self.optimizer_or_lr
        for i, (x, y) in enumerate(loader):
            loss = F.cross_entropy(self.model(x), y) / accum
            loss.backward()
            if (i + 1) % accum == 0 or i + 1 == len(loader):
                opt.step()
                opt.zero_grad()
# === what the scaler steps is an optimizer
import torch
import torch.nn.functional as F

scaler = torch.amp.GradScaler()


def train(model, state, loader):
    for x, y in loader:
        inner = state.inner
        with torch.autocast("cuda", dtype=torch.float16):
            loss = F.cross_entropy(model(x), y)
        scaler.scale(loss).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # <- clip-scaled-gradients
        scaler.step(inner)
        scaler.update()
        model.zero_grad()
# === right: what the scaler steps is an optimizer
import torch
import torch.nn.functional as F

scaler = torch.amp.GradScaler()


def train(model, state, loader):
    for x, y in loader:
        inner = state.inner
        with torch.autocast("cuda", dtype=torch.float16):
            loss = F.cross_entropy(model(x), y)
        scaler.scale(loss).backward()
        scaler.unscale_(inner)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(inner)
        scaler.update()
        model.zero_grad()
# === right: a simulation that steps is no optimizer
import torch.nn.functional as F


def rollout(agent, world, optimizer, accum):
    env = world.current
    for i in range(1000):
        x, y = env.step(agent.act())
        loss = F.cross_entropy(agent(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
# === a network that a trainer holds is handed to its average, too
import copy

import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(3, 3)

    def forward(self, x):
        return F.mse_loss(self.body(x), x)


class Average:
    def __init__(self, model):
        self.model, self.slow = model, copy.deepcopy(model)


class Trainer:
    def __init__(self, model, batches, accum=4):
        self.model, self.batches, self.accum = model, batches, accum
        self.opt = torch.optim.Adam(list(model.parameters()))
        self.average = Average(model)

    def train(self):
        for _ in range(10):
            for _ in range(self.accum):
                self.model(next(self.batches)).backward()  # <- unscaled-accumulation-loss
            self.opt.step()
            self.opt.zero_grad()


Trainer(Net(), iter(torch.randn(40, 2, 3))).train()
# === right: a network that a trainer holds is handed to its average, too
import copy

import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(3, 3)

    def forward(self, x):
        return F.mse_loss(self.body(x), x)


class Average:
    def __init__(self, model):
        self.model, self.slow = model, copy.deepcopy(model)


class Trainer:
    def __init__(self, model, batches, accum=4):
        self.model, self.batches, self.accum = model, batches, accum
        self.opt = torch.optim.Adam(list(model.parameters()))
        self.average = Average(model)

    def train(self):
        for _ in range(10):
            for _ in range(self.accum):
                (self.model(next(self.batches)) / self.accum).backward()
            self.opt.step()
            self.opt.zero_grad()


Trainer(Net(), iter(torch.randn(40, 2, 3))).train()
