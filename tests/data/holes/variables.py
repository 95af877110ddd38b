# === guard in a variable, DDP behind world
import os

import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP


def wrap(model, world):
    if world > 1:
        model = DDP(model)
    return model


def train(model, loader, optimizer, accum):
    model = wrap(model, int(os.environ.get("WORLD_SIZE", "1")))
    for i, (x, y) in enumerate(loader):
        last = (i + 1) % accum == 0 or i + 1 == len(loader)
        loss = F.cross_entropy(model(x), y) / accum
        loss.backward()  # <- missing-no-sync
        if last:
            optimizer.step()
            optimizer.zero_grad()
# === guard in a variable, DDP returned early
import torch
import torch.distributed as dist
import torch.nn.functional as F


def distribute(net, rank):
    net = net.to(rank)
    if dist.get_world_size() <= 1:
        return net
    return torch.nn.parallel.DistributedDataParallel(net, device_ids=[rank])


def main(net, loader, rank, accum):
    net = distribute(net, rank)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(10):
        for i, (x, y) in enumerate(loader):
            ends = (i + 1) % accum == 0
            ends = ends or (i + 1) == len(loader)
            (F.mse_loss(net(x), y) / accum).backward()  # <- missing-no-sync
            if not ends:
                continue
            optimizer.step()
            optimizer.zero_grad()
# === guard in an attribute, undivided
import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, accum):
        self.model = model
        self.accum = accum
        self.optimizer = torch.optim.Adam(model.parameters())

    def fit(self, loader):
        for i, (x, y) in enumerate(loader):
            self.boundary = (i + 1) % self.accum == 0 or (i + 1) == len(loader)
            F.l1_loss(self.model(x), y).backward()  # <- unscaled-accumulation-loss
            if self.boundary:
                self.optimizer.step()
                self.optimizer.zero_grad()
# === remainder in a variable, literal window, zero at the front
import torch
import torch.nn.functional as F


def train(model, loader, optimizer):
    for i, (x, y) in enumerate(loader):
        rest = (i + 1) % 4
        optimizer.zero_grad()  # <- zero-grad-in-accumulation
        (F.mse_loss(model(x), y) / 4).backward()
        if rest == 0:
            optimizer.step()
# === guard in a variable, context from it for the backward only
import contextlib

import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel


def setup(model, args):
    if args.world_size > 1:
        return DistributedDataParallel(model)
    return model


def train(model, loader, optimizer, args):
    model = setup(model, args)
    for i, (x, y) in enumerate(loader):
        is_step = (i + 1) % args.accum == 0 or i + 1 == len(loader)
        loss = F.cross_entropy(model(x), y) / args.accum  # <- forward-outside-no-sync
        quiet = model.no_sync() if args.world_size > 1 and not is_step else contextlib.nullcontext()
        with quiet:
            loss.backward()
        if is_step:
            optimizer.step()
            optimizer.zero_grad()
# === right: guard in a variable, no_sync from it
import contextlib

import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel


def setup(model, args):
    if args.world_size > 1:
        return DistributedDataParallel(model)
    return model


def train(model, loader, optimizer, args):
    model = setup(model, args)
    for i, (x, y) in enumerate(loader):
        is_step = (i + 1) % args.accum == 0 or i + 1 == len(loader)
        quiet = model.no_sync() if args.world_size > 1 and not is_step else contextlib.nullcontext()
        with quiet:
            loss = F.cross_entropy(model(x), y) / args.accum
            loss.backward()
        if is_step:
            optimizer.step()
            optimizer.zero_grad()
# === right: no window, DDP from a helper
import os

import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP


def wrap(model, world):
    if world > 1:
        model = DDP(model)
    return model


def train(model, loader, optimizer):
    model = wrap(model, int(os.environ.get("WORLD_SIZE", "1")))
    for i, (x, y) in enumerate(loader):
        log = (i + 1) % 100 == 0
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        if log:
            print(loss.item())
# === right: remainder in a variable
import torch
import torch.nn.functional as F


def train(model, loader, optimizer):
    for i, (x, y) in enumerate(loader):
        rest = (i + 1) % 4
        (F.mse_loss(model(x), y) / 4).backward()
        if rest == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === right: single process only in the helper's other branch
import contextlib

import torch
import torch.distributed as dist
import torch.nn.functional as F


def distribute(net, rank):
    if not dist.is_initialized():
        return net
    return torch.nn.parallel.DistributedDataParallel(net, device_ids=[rank])


def main(net, loader, rank, accum):
    net = distribute(net, rank)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(10):
        for i, (x, y) in enumerate(loader):
            ends = (i + 1) % accum == 0 or i + 1 == len(loader)
            with net.no_sync() if dist.is_initialized() and not ends else contextlib.nullcontext():
                (F.mse_loss(net(x), y) / accum).backward()
            if not ends:
                continue
            optimizer.step()
            optimizer.zero_grad()
# === a chain with a single parameter in it is used up, too
from itertools import chain

import torch
import torch.nn.functional as F
from torch import nn


class Agent:
    def __init__(self):
        self.body, self.head = nn.Linear(3, 16), nn.Linear(16, 1)
        self.spread = nn.Parameter(torch.zeros(1))
        self.trained = chain(self.body.parameters(), self.head.parameters(), [self.spread])
        self.optimizer = torch.optim.Adam(self.trained)

    def learn(self, seen, gain):
        loss = F.mse_loss(self.head(self.body(seen)) + self.spread, gain)
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.trained, 0.3)  # <- clip-exhausted-parameters
        self.optimizer.step()


def main(batches):
    agent = Agent()
    for seen, gain in batches:
        agent.learn(seen, gain)
# === right: kept as a list
from itertools import chain

import torch
import torch.nn.functional as F
from torch import nn


class Agent:
    def __init__(self):
        self.body, self.head = nn.Linear(3, 16), nn.Linear(16, 1)
        self.spread = nn.Parameter(torch.zeros(1))
        self.trained = list(chain(self.body.parameters(), self.head.parameters(), [self.spread]))
        self.optimizer = torch.optim.Adam(self.trained)

    def learn(self, seen, gain):
        loss = F.mse_loss(self.head(self.body(seen)) + self.spread, gain)
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.trained, 0.3)
        self.optimizer.step()


def main(batches):
    agent = Agent()
    for seen, gain in batches:
        agent.learn(seen, gain)
# === right: a chain with what a helper gives
import itertools

import torch
import torch.nn.functional as F
from parts import make_decoder, trained_parts


def train(encoder, loader):
    decoder = make_decoder()
    optimizer = torch.optim.Adam(itertools.chain(encoder.parameters(), trained_parts(decoder)))
    for x, y in loader:
        F.mse_loss(decoder(x), y).backward()
        optimizer.step()
        optimizer.zero_grad()
