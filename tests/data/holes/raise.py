# === loader must be a multiple, undivided
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, accum):
    if len(loader) % accum != 0:
        raise ValueError("the loader must hold whole windows")
    for i, (x, y) in enumerate(loader):
        F.cross_entropy(model(x), y).backward()  # <- unscaled-accumulation-loss
        if (i + 1) % accum == 0:
            optimizer.step()
            optimizer.zero_grad()
# === batch must be a multiple, clip in the pieces
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, batch_size, micro_batch_size):
    if batch_size % micro_batch_size:
        raise ValueError(f"{batch_size} is no multiple of {micro_batch_size}")
    accum = batch_size // micro_batch_size
    for i, (x, y) in enumerate(loader):
        (F.cross_entropy(model(x), y) / accum).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # <- clip-per-micro-batch
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === window must be above one, undivided
import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, accum=4):
        if accum < 1:
            raise ValueError("accum")
        self.model, self.accum = model, accum
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def fit(self, loader):
        total = len(loader)
        if total % self.accum > 0:
            raise RuntimeError(f"{total} batches cannot be cut into windows of {self.accum}")
        for i, (x, y) in enumerate(loader):
            loss = F.cross_entropy(self.model(x), y)
            loss.backward()  # <- unscaled-accumulation-loss
            if (i + 1) % self.accum == 0:
                self.optimizer.step()
                self.optimizer.zero_grad()
# === exits on sizes in the main script, zero in the window
import argparse
import sys

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

parser = argparse.ArgumentParser()
parser.add_argument("--accum", type=int, default=4)
args = parser.parse_args()
data = torch.utils.data.TensorDataset(torch.randn(64, 3), torch.randn(64, 1))
loader = DataLoader(data, batch_size=4)
if len(loader) % args.accum:
    sys.exit("choose another window")
model = torch.nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for i, (x, y) in enumerate(loader):
    optimizer.zero_grad()  # <- zero-grad-in-accumulation
    (F.mse_loss(model(x), y) / args.accum).backward()
    if (i + 1) % args.accum == 0:
        optimizer.step()
# === assert on sizes, missing no_sync
import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP


def train(model, loader, lr, accum):
    assert len(loader) % accum == 0
    model = DDP(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    for i, (x, y) in enumerate(loader):
        (F.mse_loss(model(x), y) / accum).backward()  # <- missing-no-sync
        if (i + 1) % accum == 0:
            optimizer.step()
            optimizer.zero_grad()
# === too few batches are refused, undivided
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, accum):
    if len(loader) < accum:
        raise ValueError("not one window")
    if accum != 1 and not isinstance(optimizer, torch.optim.SGD):
        raise NotImplementedError
    for i, (x, y) in enumerate(loader):
        F.cross_entropy(model(x), y).backward()  # <- unscaled-accumulation-loss
        if (i + 1) % accum == 0 or (i + 1) == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === right: a multiple has no tail
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, accum):
    if len(loader) % accum != 0:
        raise ValueError("the loader must hold whole windows")
    for epoch in range(3):
        for i, (x, y) in enumerate(loader):
            (F.cross_entropy(model(x), y) / accum).backward()
            if (i + 1) % accum == 0:
                optimizer.step()
                optimizer.zero_grad()
# === right: asserted
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, accum):
    assert len(loader) % accum == 0, "whole windows only"
    for epoch in range(3):
        for i, (x, y) in enumerate(loader):
            (F.cross_entropy(model(x), y) / accum).backward()
            if (i + 1) % accum == 0:
                optimizer.step()
                optimizer.zero_grad()
# === right: accumulation is refused, so there is none
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, accum=1):
    if accum > 1:
        raise NotImplementedError("accumulation")
    for i, (x, y) in enumerate(loader):
        F.cross_entropy(model(x), y).backward()
        if (i + 1) % accum == 0:
            optimizer.step()
            optimizer.zero_grad()
# === right: sizes that divide
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, batch_size, micro_batch_size):
    if batch_size % micro_batch_size:
        raise ValueError(f"{batch_size} is no multiple of {micro_batch_size}")
    accum = batch_size // micro_batch_size
    for i, (x, y) in enumerate(loader):
        (F.cross_entropy(model(x), y) / accum).backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
# === refused in the constructor
import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, loader, global_batch, local_batch):
        if global_batch % local_batch != 0:
            raise ValueError("batch sizes do not divide")
        self.accum = global_batch // local_batch
        if len(loader) % self.accum:
            raise ValueError("loader does not divide")
        self.model, self.loader = model, loader
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def fit(self):
        for i, (x, y) in enumerate(self.loader):
            self.optimizer.zero_grad()  # <- zero-grad-in-accumulation
            (F.cross_entropy(self.model(x), y) / self.accum).backward()
            if (i + 1) % self.accum == 0:
                self.optimizer.step()
# === the pace of the log must be a multiple of the window, clip in the pieces
import argparse

import torch
import torch.nn.functional as F


def main(model, batches):
    parser = argparse.ArgumentParser()
    parser.add_argument("--log_step", default=1, type=int)
    parser.add_argument("--gradient_accumulation", default=1, type=int)
    args = parser.parse_args()
    log_step, gradient_accumulation = args.log_step, args.gradient_accumulation
    assert log_step % gradient_accumulation == 0
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    done = 0
    for x, y in batches:
        loss = F.cross_entropy(model(x), y)
        if gradient_accumulation > 1:
            loss = loss / gradient_accumulation
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # <- clip-per-micro-batch
        if (done + 1) % gradient_accumulation == 0:
            optimizer.step()
            optimizer.zero_grad()
        if (done + 1) % log_step == 0:
            print(loss.item() * gradient_accumulation)
        done += 1
# === the pace of the checkpoints must be a multiple of the window, and all is right
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, accum, save_every):
    if save_every % accum != 0:
        raise ValueError("save whole windows only")
    done = 0
    while True:
        for x, y in loader:
            (F.cross_entropy(model(x), y) / accum).backward()
            done += 1
            if done % accum == 0:
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                optimizer.zero_grad()
            if done % save_every == 0:
                torch.save(model.state_dict(), f"{done}.pt")
