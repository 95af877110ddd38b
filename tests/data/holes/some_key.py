# === right: losses in a dictionary under names that nobody knows, added up and divided
import torch


def train(train_loader, model, criterion, optimizer, config):
    model.train()
    seen = 1
    for data in train_loader:
        outputs = model(data["image"])
        losses = {}
        for name in criterion.keys():
            losses[name] = criterion[name](outputs, data["mask"])
        loss = 0.0
        for key, value in losses.items():
            loss += value
        loss = loss / config.accumulation_steps
        config.scaler.scale(loss).backward()
        if seen % config.accumulation_steps == 0:
            config.scaler.step(optimizer)
            config.scaler.update()
            optimizer.zero_grad()
        seen += 1
    optimizer.zero_grad()
# === losses in a dictionary under names that nobody knows, added up
import torch


def train(train_loader, model, criterion, optimizer, config):
    model.train()
    seen = 1
    for data in train_loader:
        outputs = model(data["image"])
        losses = {}
        for name in criterion.keys():
            losses[name] = criterion[name](outputs, data["mask"])
        loss = 0.0
        for key, value in losses.items():
            loss += value
        config.scaler.scale(loss).backward()  # <- unscaled-accumulation-loss
        if seen % config.accumulation_steps == 0:
            config.scaler.step(optimizer)
            config.scaler.update()
            optimizer.zero_grad()
        seen += 1
    optimizer.zero_grad()
# === right: a checkpoint sets where the count goes on
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, args):
    done = 0
    if args.resume:
        done = torch.load(args.resume)["done"]
    while done < args.max_steps:
        for x, y in loader:
            (F.cross_entropy(model(x), y) / args.accumulation_steps).backward()
            done += 1
            if done % args.accumulation_steps == 0:
                optimizer.step()
                optimizer.zero_grad()
# === a checkpoint sets where the count goes on, and the first window is one micro-batch
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, args):
    done = 0
    if args.resume:
        done = torch.load(args.resume)["done"]
    while done < args.max_steps:
        for x, y in loader:
            (F.cross_entropy(model(x), y) / args.accumulation_steps).backward()
            if done % args.accumulation_steps == 0:  # <- accumulation-off-by-one
                optimizer.step()
                optimizer.zero_grad()
            done += 1
# === right: a critic that accumulates is shown samples that were drawn without gradients
import torch


def train(netG, netD, optG, optD, loader, accum):
    for i, real in enumerate(loader):
        with torch.no_grad():
            fake = netG(torch.randn(len(real), 64))
        ((netD(fake).mean() - netD(real).mean()) / accum).backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optD.step()
            optD.zero_grad()
            optG.zero_grad()
            (-netD(netG(torch.randn(len(real), 64))).mean()).backward()
            optG.step()
            optD.zero_grad()
# === evaluated every twenty epochs, and never put back
import torch
import torch.nn.functional as F


def evaluate(model, loader):
    model.eval()
    with torch.no_grad():
        return sum((model(x).argmax(1) == y).sum() for x, y in loader)  # grades


def train(model, loader, held_out, optimizer, epochs):
    model.train()
    for epoch in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            F.cross_entropy(model(x), y).backward()
            optimizer.step()
        if epoch % 20 == 0:
            print(evaluate(model, held_out))  # <- missing-train-mode
# === right: a context of somebody else's is handed each network's `no_sync`
from contextlib import nullcontext

import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP
from toolbox import nested_contexts


def train(nets, loader, optimizer, accum):
    nets = [DDP(net) for net in nets]
    for i, (x, y) in enumerate(loader):
        last = (i + 1) % accum == 0 or i + 1 == len(loader)
        contexts = [nullcontext if last else net.no_sync for net in nets]
        with nested_contexts(*contexts):
            (sum(F.cross_entropy(net(x), y) for net in nets) / accum).backward()
        if last:
            optimizer.step()
            optimizer.zero_grad()
# === right: a penalty is added behind `unscale_`
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, scaler):
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = F.cross_entropy(model(x), y)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        (0.01 * model.head.weight.abs().sum()).backward()
        scaler.step(optimizer)
        scaler.update()
# === a penalty is added in front of `unscale_`
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, scaler):
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = F.cross_entropy(model(x), y)
        scaler.scale(loss).backward()
        (0.01 * model.head.weight.abs().sum()).backward()  # <- unscaled-backward
        scaler.unscale_(optimizer)
        scaler.step(optimizer)
        scaler.update()
# === right: the scaler is there for float16 alone
import torch


class Engine:
    def __init__(self, network, config):
        self.network, self.optimizer = network, torch.optim.AdamW(network.parameters())
        self.dtype = torch.bfloat16
        self.scaler = None
        self.config = config

    def build(self):
        self.dtype = self.config.dtype
        if self.dtype == torch.float16:
            self.scaler = torch.amp.GradScaler()
        else:
            self.scaler = None

    def fit(self, loader):
        for x, y in loader:
            self.optimizer.zero_grad()
            with torch.autocast("cuda", dtype=self.dtype):
                loss = torch.nn.functional.cross_entropy(self.network(x), y)
            if self.scaler is not None:
                self.scaler.scale(loss).backward()
                self.scaler.step(self.optimizer)
                self.scaler.update()
            else:
                loss.backward()
                self.optimizer.step()
# === an abstract loss, and an evaluation with gradients on
from abc import ABC, abstractmethod

import torch


class Base(ABC):
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    @abstractmethod
    def compute_loss(self, outputs, y):
        pass

    def validate(self, loader):
        self.model.eval()
        for x, y in loader:
            print((self.model(x).argmax(1) == y).sum().item())  # <- validation-without-no-grad

    def fit(self, loader, held_out):
        for epoch in range(3):
            self.model.train()
            for x, y in loader:
                self.optimizer.zero_grad()
                self.compute_loss(self.model(x), y).backward()
                self.optimizer.step()
            self.validate(held_out)
# === right: an abstract loss may divide
from abc import ABC, abstractmethod

import torch


class Base(ABC):
    def __init__(self, model, accum):
        self.model, self.accum = model, accum
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    @abstractmethod
    def compute_loss(self, outputs, y):
        """The loss of a micro-batch."""

    def fit(self, loader):
        self.model.train()
        for i, (x, y) in enumerate(loader):
            self.compute_loss(self.model(x), y).backward()
            if (i + 1) % self.accum == 0 or i + 1 == len(loader):
                self.optimizer.step()
                self.optimizer.zero_grad()
