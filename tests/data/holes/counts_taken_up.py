# === right: a count that a checkpoint says is 0 in a run that begins
import torch


def train(model, stream, total, saved, warm, first):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.99)
    count = torch.load(saved)["count"]
    while count < total:
        if count > 0:
            scheduler.step()
        x, y = next(stream)
        optimizer.zero_grad()
        torch.nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
        count += 1


# === right: it is asked whether it is none
import torch


def train(model, stream, total, saved, warm, first):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.99)
    count = torch.load(saved)["count"]
    while count < total:
        if count != 0:
            scheduler.step()
        x, y = next(stream)
        optimizer.zero_grad()
        torch.nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
        count += 1


# === right: it is asked by itself
import torch


def train(model, stream, total, saved, warm, first):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.99)
    count = torch.load(saved)["count"]
    while count < total:
        if count:
            scheduler.step()
        x, y = next(stream)
        optimizer.zero_grad()
        torch.nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
        count += 1


# === right: it is asked beside another limit
import torch


def train(model, stream, total, saved, warm, first):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.99)
    count = torch.load(saved)["count"]
    while count < total:
        if count >= first and count != 0:
            scheduler.step()
        x, y = next(stream)
        optimizer.zero_grad()
        torch.nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
        count += 1


# === the same count, which lets the first iteration through
import torch


def train(model, stream, total, saved, warm, first):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.99)
    count = torch.load(saved)["count"]
    while count < total:
        if count >= 0:
            scheduler.step()  # <- scheduler-before-optimizer
        x, y = next(stream)
        optimizer.zero_grad()
        torch.nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
        count += 1


# === the same count, held against an end
import torch


def train(model, stream, total, saved, warm, first):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.99)
    count = torch.load(saved)["count"]
    while count < total:
        if count < total - 10:
            scheduler.step()  # <- scheduler-before-optimizer
        x, y = next(stream)
        optimizer.zero_grad()
        torch.nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
        count += 1


# === what is no count is asked
import torch


def train(model, stream, total, saved, warm, first):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.99)
    count = torch.load(saved)["count"]
    while count < total:
        if warm > 0:
            scheduler.step()  # <- scheduler-before-optimizer
        x, y = next(stream)
        optimizer.zero_grad()
        torch.nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
        count += 1


# === what is no count is asked beside the count's end
import torch


def train(model, stream, total, saved, warm, first):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.99)
    count = torch.load(saved)["count"]
    while count < total:
        if warm and count < total:
            scheduler.step()  # <- scheduler-before-optimizer
        x, y = next(stream)
        optimizer.zero_grad()
        torch.nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
        count += 1


# === right: an object goes on with a count that a method has loaded
import torch


class Trainer:
    def __init__(self, model, stream, saved, first, warm):
        self.model, self.stream, self.saved, self.first, self.warm = model, stream, saved, first, warm
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        self.scheduler = torch.optim.lr_scheduler.ExponentialLR(self.optimizer, gamma=0.99)
        self.done = 0

    def load(self, resume=True):
        if resume:
            self.done = torch.load(self.saved)["done"]

    def decay(self):
        if self.done >= self.first and self.done != 0:
            self.scheduler.step()

    def train(self, total):
        while self.done < total:
            self.decay()
            x, y = next(self.stream)
            self.optimizer.zero_grad()
            torch.nn.functional.mse_loss(self.model(x), y).backward()
            self.optimizer.step()
            self.done += 1


def main(model, stream, saved, first, warm, resume):
    trainer = Trainer(model, stream, saved, first, warm)
    if saved:
        trainer.load(resume=resume)
    trainer.train(1000)


# === right: an object that always goes on
import torch


class Trainer:
    def __init__(self, model, stream, saved, first, warm):
        self.model, self.stream, self.saved, self.first, self.warm = model, stream, saved, first, warm
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        self.scheduler = torch.optim.lr_scheduler.ExponentialLR(self.optimizer, gamma=0.99)
        self.done = 0

    def load(self, resume=True):
        self.done = torch.load(self.saved)["done"]

    def decay(self):
        if self.done > 0:
            self.scheduler.step()

    def train(self, total):
        while self.done < total:
            self.decay()
            x, y = next(self.stream)
            self.optimizer.zero_grad()
            torch.nn.functional.mse_loss(self.model(x), y).backward()
            self.optimizer.step()
            self.done += 1


def main(model, stream, saved, first, warm, resume):
    trainer = Trainer(model, stream, saved, first, warm)
    if saved:
        trainer.load(resume=resume)
    trainer.train(1000)


# === an object goes on with a count, and asks for something else
import torch


class Trainer:
    def __init__(self, model, stream, saved, first, warm):
        self.model, self.stream, self.saved, self.first, self.warm = model, stream, saved, first, warm
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        self.scheduler = torch.optim.lr_scheduler.ExponentialLR(self.optimizer, gamma=0.99)
        self.done = 0

    def load(self, resume=True):
        if resume:
            self.done = torch.load(self.saved)["done"]

    def decay(self):
        if self.warm > 0:
            self.scheduler.step()  # <- scheduler-before-optimizer

    def train(self, total):
        while self.done < total:
            self.decay()
            x, y = next(self.stream)
            self.optimizer.zero_grad()
            torch.nn.functional.mse_loss(self.model(x), y).backward()
            self.optimizer.step()
            self.done += 1


def main(model, stream, saved, first, warm, resume):
    trainer = Trainer(model, stream, saved, first, warm)
    if saved:
        trainer.load(resume=resume)
    trainer.train(1000)


# === an object goes on with a count, and lets the first iteration through
import torch


class Trainer:
    def __init__(self, model, stream, saved, first, warm):
        self.model, self.stream, self.saved, self.first, self.warm = model, stream, saved, first, warm
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        self.scheduler = torch.optim.lr_scheduler.ExponentialLR(self.optimizer, gamma=0.99)
        self.done = 0

    def load(self, resume=True):
        if resume:
            self.done = torch.load(self.saved)["done"]

    def decay(self):
        if self.done >= 0:
            self.scheduler.step()  # <- scheduler-before-optimizer

    def train(self, total):
        while self.done < total:
            self.decay()
            x, y = next(self.stream)
            self.optimizer.zero_grad()
            torch.nn.functional.mse_loss(self.model(x), y).backward()
            self.optimizer.step()
            self.done += 1


def main(model, stream, saved, first, warm, resume):
    trainer = Trainer(model, stream, saved, first, warm)
    if saved:
        trainer.load(resume=resume)
    trainer.train(1000)


# === an object loads what it never counts
import torch


class Trainer:
    def __init__(self, model, stream, saved, first, warm):
        self.model, self.stream, self.saved, self.first, self.warm = model, stream, saved, first, warm
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        self.scheduler = torch.optim.lr_scheduler.ExponentialLR(self.optimizer, gamma=0.99)
        self.done = 0

    def load(self, resume=True):
        self.done = torch.load(self.saved)["done"]

    def decay(self):
        if self.done > 0:
            self.scheduler.step()  # <- scheduler-before-optimizer

    def train(self, total):
        while self.done < total:
            self.decay()
            x, y = next(self.stream)
            self.optimizer.zero_grad()
            torch.nn.functional.mse_loss(self.model(x), y).backward()
            self.optimizer.step()
            total -= 1


def main(model, stream, saved, first, warm, resume):
    trainer = Trainer(model, stream, saved, first, warm)
    if saved:
        trainer.load(resume=resume)
    trainer.train(1000)
# === right: a run that can only go on counts on by whole windows
import torch
from torch import nn


def train(loader, resume, accum=4):
    net = nn.Linear(3, 1)
    opt = torch.optim.SGD(net.parameters(), 0.1)
    if not resume:
        raise ValueError("only to go on")
    saved = torch.load(resume)
    opt.load_state_dict(saved["optimizer"])
    step = saved["step"]
    for x, y in loader:
        step += 1
        loss = nn.functional.mse_loss(net(x), y)
        (loss / accum).backward()
        if step % accum != 0:
            continue
        opt.step()
        opt.zero_grad()
# === a run that goes on where it stopped, and all-reduces each time
import argparse
import torch
from torch import nn


def main(loader):
    parser = argparse.ArgumentParser()
    parser.add_argument("--accum", type=int, default=None)
    parser.add_argument("--resume", default=None)
    args = parser.parse_args()
    net = nn.parallel.DistributedDataParallel(nn.Linear(3, 1))
    opt = torch.optim.SGD(net.parameters(), 0.1)
    step = 0
    if args.resume:
        saved = torch.load(args.resume)
        step = saved["step"]
    if args.resume:
        opt.load_state_dict(saved["optimizer"])
        step = saved["step"]
    for x, y in loader:
        step += 1
        loss = nn.functional.mse_loss(net(x), y)
        (loss / args.accum).backward()  # <- missing-no-sync
        if step % args.accum != 0:
            continue
        opt.step()
        opt.zero_grad()
