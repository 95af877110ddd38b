# === the loss is asked of what is in the wrapper, where there is one
import torch
from torch import nn


def train_one_epoch(model, loader, optimizer):
    for data, target in loader:
        if hasattr(model, "module"):
            logits, loss = model.module.get_logits_loss(data, target)
        else:
            logits, loss = model.get_logits_loss(data, target)
        loss.backward()
        optimizer.step()  # <- step-without-sync
        optimizer.zero_grad()


def main(rank, cfg, build, loader):
    model = nn.parallel.DistributedDataParallel(build(cfg).to(rank), device_ids=[rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(cfg.epochs):
        loader.sampler.set_epoch(epoch)
        model.train()
        train_one_epoch(model, loader, optimizer)

# === the same in one line
import torch
from torch import nn


def train_one_epoch(model, loader, optimizer):
    for data, target in loader:
        logits, loss = model.get_logits_loss(data, target) if not hasattr(model, "module") else model.module.get_logits_loss(data, target)
        loss.backward()
        optimizer.step()  # <- step-without-sync
        optimizer.zero_grad()


def main(rank, cfg, build, loader):
    model = build(cfg).to(rank)
    if cfg.distributed:
        model = nn.parallel.DistributedDataParallel(model, device_ids=[rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(cfg.epochs):
        if cfg.distributed:
            loader.sampler.set_epoch(epoch)
        model.train()
        train_one_epoch(model, loader, optimizer)

# === right: the wrapper is called, and what is in it is saved
import torch
from torch import nn


def train_one_epoch(model, loader, optimizer):
    for data, target in loader:
        loss = nn.functional.cross_entropy(model(data), target)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    torch.save((model.module if hasattr(model, "module") else model).state_dict(), "last.pt")


def main(rank, cfg, build, loader):
    model = nn.parallel.DistributedDataParallel(build(cfg).to(rank), device_ids=[rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(cfg.epochs):
        loader.sampler.set_epoch(epoch)
        model.train()
        train_one_epoch(model, loader, optimizer)

# === right: a model that nothing is put around
import torch


def train(model, loader, optimizer):
    for data, target in loader:
        logits, loss = model.get_logits_loss(data, target) if not hasattr(model, "module") else model.module.get_logits_loss(data, target)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()

# === a table of hits is given the largest outputs, which are numbers
import torch


def train_one_epoch(model, loader, optimizer, table, cfg):
    gathered = 0
    for data, target in loader:
        gathered += 1
        logits, loss = model.get_logits_loss(data, target)
        loss.backward()  # <- unscaled-accumulation-loss
        if gathered == cfg.step_per_update:  # <- dropped-accumulation-tail
            gathered = 0
            optimizer.step()
            model.zero_grad()
        table.update(logits.argmax(dim=1), target)


def main(cfg, build, loader, table):
    model = build(cfg)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model.zero_grad()
    for epoch in range(cfg.epochs):
        model.train()
        train_one_epoch(model, loader, optimizer, table, cfg)

# === right: what is given the network may do more
import torch


def train_one_epoch(model, loader, optimizer, table, cfg):
    gathered = 0
    for data, target in loader:
        gathered += 1
        logits, loss = model.get_logits_loss(data, target)
        loss.backward()
        if gathered == cfg.step_per_update:
            gathered = 0
            optimizer.step()
            model.zero_grad()
        table.update(model, target)


def main(cfg, build, loader, table):
    model = build(cfg)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model.zero_grad()
    for epoch in range(cfg.epochs):
        model.train()
        train_one_epoch(model, loader, optimizer, table, cfg)
