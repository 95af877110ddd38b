# === a record with another field, and the rest of an epoch is left over
from dataclasses import dataclass, replace

import torch


@dataclass
class Settings:
    part: int = 0
    accum: int = 4
    epochs: int = 3


def train(net, loader, opt, settings):
    for n, (x, y) in enumerate(loader, start=1):
        loss = torch.nn.functional.mse_loss(net(x), y) / settings.accum
        loss.backward()
        if n % settings.accum == 0:  # <- dropped-accumulation-tail
            opt.step()
            opt.zero_grad()


def main(loader):
    settings = Settings()
    for part in range(2):
        own = replace(settings, part=part)
        net = torch.nn.Linear(2, 1)
        opt = torch.optim.Adam(net.parameters())
        for _ in range(own.epochs):
            train(net, loader, opt, own)
# === the same, and the rest is stepped
from dataclasses import dataclass, replace

import torch


@dataclass
class Settings:
    part: int = 0
    accum: int = 4
    epochs: int = 3


def train(net, loader, opt, settings):
    for n, (x, y) in enumerate(loader, start=1):
        loss = torch.nn.functional.mse_loss(net(x), y) / settings.accum
        loss.backward()
        if n % settings.accum == 0 or n == len(loader):
            opt.step()
            opt.zero_grad()


def main(loader):
    settings = Settings()
    for part in range(2):
        own = replace(settings, part=part)
        net = torch.nn.Linear(2, 1)
        opt = torch.optim.Adam(net.parameters())
        for _ in range(own.epochs):
            train(net, loader, opt, own)
# === another window is put into it, by which the loss is divided
from dataclasses import dataclass, replace

import torch


@dataclass
class Settings:
    accum: int = 4
    epochs: int = 3


def main(net, loader):
    opt = torch.optim.Adam(net.parameters())
    settings = Settings()
    own = replace(settings, accum=2)
    for _ in range(own.epochs):
        for n, (x, y) in enumerate(loader, start=1):
            loss = torch.nn.functional.mse_loss(net(x), y) / own.accum
            loss.backward()
            if n % own.accum == 0 or n == len(loader):
                opt.step()
                opt.zero_grad()
# === another window is put into it, and the loss is divided by the first
from dataclasses import dataclass, replace

import torch


@dataclass
class Settings:
    accum: int = 4
    epochs: int = 3


def main(net, loader):
    opt = torch.optim.Adam(net.parameters())
    settings = Settings()
    own = replace(settings, accum=2)
    for _ in range(own.epochs):
        for n, (x, y) in enumerate(loader, start=1):
            loss = torch.nn.functional.mse_loss(net(x), y) / settings.accum
            loss.backward()  # <- accumulation-divisor-mismatch
            if n % own.accum == 0 or n == len(loader):
                opt.step()
                opt.zero_grad()
# === a record that computes its fields anew
from dataclasses import dataclass, replace

import torch


@dataclass
class Settings:
    part: int = 0
    batch: int = 64
    micro: int = 16
    accum: int = 1

    def __post_init__(self):
        self.accum = self.batch // self.micro


def main(net, loader, micro):
    opt = torch.optim.Adam(net.parameters())
    own = replace(Settings(), micro=micro)
    for _ in range(4):
        for n, (x, y) in enumerate(loader, start=1):
            loss = torch.nn.functional.mse_loss(net(x), y) / own.accum
            loss.backward()
            if n % own.accum == 0 or n == len(loader):
                opt.step()
                opt.zero_grad()
# === a record that nobody sees being made, and the rest of an epoch is left over
from dataclasses import dataclass, replace

import torch
from somewhere import read_settings


def train(net, loader, opt, settings):
    for n, (x, y) in enumerate(loader, start=1):
        loss = torch.nn.functional.mse_loss(net(x), y) / settings.accum
        loss.backward()
        if n % settings.accum == 0:  # <- dropped-accumulation-tail
            opt.step()
            opt.zero_grad()


def main(loader):
    settings = read_settings()
    for part in range(2):
        own = replace(settings, part=part)
        net = torch.nn.Linear(2, 1)
        opt = torch.optim.Adam(net.parameters())
        for _ in range(own.epochs):
            train(net, loader, opt, own)
# === a record that nobody sees being made, and another window in the copy
from dataclasses import replace

import torch
from somewhere import read_settings


def main(net, loader):
    settings = read_settings()
    opt = torch.optim.Adam(net.parameters())
    own = replace(settings, accum=settings.batch // settings.micro)
    for _ in range(own.epochs):
        for n, (x, y) in enumerate(loader, start=1):
            loss = torch.nn.functional.mse_loss(net(x), y) / own.accum
            loss.backward()
            if n % own.accum == 0 or n == len(loader):
                opt.step()
                opt.zero_grad()
