"""Iterators over a loader that are made anew in the midst of the training: each begins another epoch."""

# === where nothing is left
import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler


def train(model, dataset, max_steps):
    model = DDP(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=8, sampler=sampler)
    batches = iter(loader)
    for step in range(max_steps):
        try:
            x, y = next(batches)
        except StopIteration:
            batches = iter(loader)  # <- missing-set-epoch
            x, y = next(batches)
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()

# === in a method of the trainer
import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler


class Trainer:
    def __init__(self, model, dataset, cfg):
        self.model = DDP(model)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=cfg.lr)
        self.sampler = DistributedSampler(dataset)
        self.loader = DataLoader(dataset, batch_size=8, sampler=self.sampler)
        self.iterator = iter(self.loader)
        self.step, self.max_steps = 0, cfg.max_steps

    def next_batch(self):
        try:
            return next(self.iterator)
        except StopIteration:
            self.iterator = iter(self.loader)  # <- missing-set-epoch
            return next(self.iterator)

    def train(self):
        while self.step < self.max_steps:
            x, y = self.next_batch()
            self.optimizer.zero_grad()
            F.cross_entropy(self.model(x), y).backward()
            self.optimizer.step()
            self.step += 1

# === where `next` gives nothing
import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler


def train(model, dataset, max_steps):
    model = DDP(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=8, sampler=sampler)
    batches = iter(loader)
    for step in range(max_steps):
        batch = next(batches, None)
        if batch is None:
            batches = iter(loader)  # <- missing-set-epoch
            batch = next(batches)
        x, y = batch
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()

# === right: the sampler is told where nothing is left
import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler


def train(model, dataset, max_steps):
    model = DDP(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=8, sampler=sampler)
    batches, epoch = iter(loader), 0
    for step in range(max_steps):
        try:
            x, y = next(batches)
        except StopIteration:
            epoch += 1
            sampler.set_epoch(epoch)
            batches = iter(loader)
            x, y = next(batches)
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()

# === right: the sampler is told by a count of steps
import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler


def train(model, dataset, max_steps):
    model = DDP(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=8, sampler=sampler)
    batches = iter(loader)
    for step in range(max_steps):
        if step % len(loader) == 0:
            loader.sampler.set_epoch(step // len(loader))
        try:
            x, y = next(batches)
        except StopIteration:
            batches = iter(loader)
            x, y = next(batches)
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()

# === right: a method begins the next epoch
import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler


class Trainer:
    def __init__(self, model, dataset, cfg):
        self.model = DDP(model)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=cfg.lr)
        self.sampler = DistributedSampler(dataset)
        self.loader = DataLoader(dataset, batch_size=8, sampler=self.sampler)
        self.epoch, self.steps = 0, cfg.max_steps
        self.begin()

    def begin(self):
        self.sampler.set_epoch(self.epoch)
        self.iterator = iter(self.loader)
        self.epoch += 1

    def train(self):
        for step in range(self.steps):
            try:
                x, y = next(self.iterator)
            except StopIteration:
                self.begin()
                x, y = next(self.iterator)
            self.optimizer.zero_grad()
            F.cross_entropy(self.model(x), y).backward()
            self.optimizer.step()

# === right: nothing is shuffled
import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler


def train(model, dataset, max_steps):
    model = DDP(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    sampler = DistributedSampler(dataset, shuffle=False)
    loader = DataLoader(dataset, batch_size=8, sampler=sampler)
    batches = iter(loader)
    for step in range(max_steps):
        try:
            x, y = next(batches)
        except StopIteration:
            batches = iter(loader)
            x, y = next(batches)
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()

# === right: only what is evaluated begins anew
import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler


def train(model, dataset, val_set, max_steps):
    model = DDP(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=8, sampler=sampler)
    val_sampler = DistributedSampler(val_set)
    val_loader = DataLoader(val_set, batch_size=8, sampler=val_sampler)
    val_batches = iter(val_loader)
    for step, (x, y) in zip(range(max_steps), loader):
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
        try:
            x, y = next(val_batches)
        except StopIteration:
            val_batches = iter(val_loader)
            x, y = next(val_batches)
        model.eval()
        with torch.no_grad():
            print(F.cross_entropy(model(x), y))
        model.train()
