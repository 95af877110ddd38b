# === everything in args, undivided
import torch
import torch.nn.functional as F


def train(args, loader):
    for i, (x, y) in enumerate(loader):
        loss = F.cross_entropy(args.model(x), y)
        loss.backward()  # <- unscaled-accumulation-loss
        if (i + 1) % args.accum == 0 or i + 1 == len(loader):
            args.optimizer.step()
            args.optimizer.zero_grad()
# === model in args, clip after step
import torch
import torch.nn.functional as F


def train(args, loader, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(args.model(x), y).backward()
        optimizer.step()
        torch.nn.utils.clip_grad_norm_(args.model.parameters(), args.clip)  # <- clip-after-step
# === wrapped in args, missing no_sync
import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP


def main(args, model, loader):
    args.model = DDP(model)
    args.optimizer = torch.optim.SGD(args.model.parameters(), lr=args.lr)
    for i, (x, y) in enumerate(loader):
        (F.cross_entropy(args.model(x), y) / args.accum).backward()  # <- missing-no-sync
        if (i + 1) % args.accum == 0 or i + 1 == len(loader):
            args.optimizer.step()
            args.optimizer.zero_grad()
# === evaluation mode left on, model in cfg
import torch
import torch.nn.functional as F


def train(cfg, loader, val):
    for epoch in range(cfg.epochs):
        for x, y in loader:
            cfg.optimizer.zero_grad()
            F.cross_entropy(cfg.model(x), y).backward()
            cfg.optimizer.step()
        cfg.model.eval()  # <- missing-train-mode
        with torch.no_grad():
            for x, y in val:
                print(F.cross_entropy(cfg.model(x), y))
# === everything in a namespace, zero in the window
from types import SimpleNamespace

import torch
import torch.nn.functional as F


def train(net, loader, accum):
    opts = SimpleNamespace(net=net, optimizer=torch.optim.SGD(net.parameters(), lr=0.1))
    for i, (x, y) in enumerate(loader):
        opts.optimizer.zero_grad()  # <- zero-grad-in-accumulation
        (F.cross_entropy(opts.net(x), y) / accum).backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            opts.optimizer.step()
# === right: everything in args
import torch
import torch.nn.functional as F


def train(args, loader):
    for i, (x, y) in enumerate(loader):
        loss = F.cross_entropy(args.model(x), y) / args.accum
        loss.backward()
        if (i + 1) % args.accum == 0 or i + 1 == len(loader):
            torch.nn.utils.clip_grad_norm_(args.model.parameters(), args.clip)
            args.optimizer.step()
            args.optimizer.zero_grad()
# === right: the model in args is a name
import torch
import torch.nn.functional as F
import torchvision


def main(args, loader):
    net = torchvision.models.__dict__[args.model](pretrained=args.pretrained)
    optimizer = torch.optim.__dict__[args.optimizer](net.parameters(), lr=args.lr)
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(net(x), y).backward()
        optimizer.step()
    torch.save(net.state_dict(), args.model + ".pt")
# === right: trained and evaluated in turns
import torch
import torch.nn.functional as F


def train(cfg, loader, val):
    for epoch in range(cfg.epochs):
        cfg.model.train()
        for x, y in loader:
            cfg.optimizer.zero_grad()
            F.cross_entropy(cfg.model(x), y).backward()
            cfg.optimizer.step()
        cfg.model.eval()
        with torch.no_grad():
            for x, y in val:
                print(F.cross_entropy(cfg.model(x), y))
# === everything in a record
from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F


@dataclass
class Bundle:
    model: Any
    optimizer: Any
    accum: int = 4


def train(model, loader):
    bundle = Bundle(model=model, optimizer=torch.optim.SGD(model.parameters(), lr=0.1))
    for i, (x, y) in enumerate(loader):
        F.cross_entropy(bundle.model(x), y).backward()  # <- unscaled-accumulation-loss
        if (i + 1) % bundle.accum == 0 or i + 1 == len(loader):
            bundle.optimizer.step()
            bundle.optimizer.zero_grad()
# === right: everything in a record
from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F


@dataclass
class Bundle:
    model: Any
    optimizer: Any
    accum: int = 4


def train(model, loader):
    bundle = Bundle(model, torch.optim.SGD(model.parameters(), lr=0.1), accum=2)
    for i, (x, y) in enumerate(loader):
        (F.cross_entropy(bundle.model(x), y) / bundle.accum).backward()
        if (i + 1) % bundle.accum == 0 or i + 1 == len(loader):
            bundle.optimizer.step()
            bundle.optimizer.zero_grad()
