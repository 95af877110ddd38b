# === samples equal the virtual batch, undivided
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, batch_size, accum):
    seen = 0
    for x, y in loader:
        F.cross_entropy(model(x), y).backward()  # <- unscaled-accumulation-loss
        seen += batch_size
        if seen == batch_size * accum:  # <- dropped-accumulation-tail
            optimizer.step()
            optimizer.zero_grad()
            seen = 0
# === samples equal, zero in the window
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, batch_size=8, virtual_batch_size=32):
    samples = 0
    for epoch in range(3):
        for x, y in loader:
            optimizer.zero_grad()  # <- zero-grad-in-accumulation
            (F.mse_loss(model(x), y) * batch_size / virtual_batch_size).backward()
            samples += batch_size
            if samples == virtual_batch_size:
                optimizer.step()
                samples = 0
# === samples of the batch itself, clip per micro-batch
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, target):
    count = 0
    for x, y in loader:
        (F.mse_loss(model(x), y, reduction="sum") / target).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # <- clip-per-micro-batch
        count += x.size(0)
        if count == target:  # <- dropped-accumulation-tail
            optimizer.step()
            optimizer.zero_grad()
            count = 0
# === samples modulo, undivided
import torch
import torch.nn.functional as F

BATCH = 16
EFFECTIVE = 64


def train(model, loader, optimizer):
    seen = 0
    for x, y in loader:
        loss = F.cross_entropy(model(x), y)
        loss.backward()  # <- unscaled-accumulation-loss
        seen += BATCH
        if seen % EFFECTIVE == 0:  # <- dropped-accumulation-tail
            optimizer.step()
            optimizer.zero_grad()
# === samples in an attribute, scheduler per micro-batch
import torch
import torch.nn.functional as F


class Loop:
    def __init__(self, model, batch_size, full, updates):
        self.model, self.batch_size, self.full = model, batch_size, full
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        self.scheduler = torch.optim.lr_scheduler.OneCycleLR(self.optimizer, 0.1, total_steps=updates)
        self.samples = 0

    def train(self, loader):
        weight = self.batch_size / self.full
        for x, y in loader:
            (F.mse_loss(self.model(x), y) * weight).backward()
            self.samples += self.batch_size
            self.scheduler.step()  # <- scheduler-per-micro-batch
            if self.samples == self.full:
                self.optimizer.step()
                self.optimizer.zero_grad()
                self.samples = 0
# === right: samples equal, weighed by size
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, batch_size=8, virtual_batch_size=32):
    samples = 0
    for epoch in range(3):
        for x, y in loader:
            (F.mse_loss(model(x), y) * batch_size / virtual_batch_size).backward()
            samples += batch_size
            if samples == virtual_batch_size:
                optimizer.step()
                optimizer.zero_grad()
                samples = 0
# === right: samples modulo, divided
import torch
import torch.nn.functional as F

BATCH = 16
EFFECTIVE = 64


def train(model, loader, optimizer):
    seen = 0
    for epoch in range(3):
        for x, y in loader:
            loss = F.cross_entropy(model(x), y) / (EFFECTIVE // BATCH)
            loss.backward()
            seen += BATCH
            if seen % EFFECTIVE == 0:
                optimizer.step()
                optimizer.zero_grad()
# === right: samples are only counted for the log
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, batch_size, report):
    seen = 0
    for x, y in loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        seen += batch_size
        if seen == report:
            print(loss.item())
            seen = 0
# === right: sum over the samples of the target
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, target):
    count = 0
    for epoch in range(3):
        for x, y in loader:
            (F.mse_loss(model(x), y, reduction="sum") / target).backward()
            count += x.size(0)
            if count == target:
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                optimizer.zero_grad()
                count = 0
# === samples up to a large number, zero in the window
import torch
import torch.nn.functional as F

BATCH_SIZE = 32
TARGET = 256


def train(model, loader, optimizer):
    seen = 0
    for epoch in range(3):
        for x, y in loader:
            optimizer.zero_grad()  # <- zero-grad-in-accumulation
            (F.mse_loss(model(x), y) * BATCH_SIZE / TARGET).backward()
            seen = seen + BATCH_SIZE
            if seen >= TARGET:
                optimizer.step()
                seen = 0
# === right: samples equal the window's, divided by the window
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, batch_size, accum):
    seen = 0
    for epoch in range(2):
        for x, y in loader:
            (F.cross_entropy(model(x), y) / accum).backward()
            seen += batch_size
            if seen == batch_size * accum:
                optimizer.step()
                optimizer.zero_grad()
                seen = 0
# === right: training ends after so many samples
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, most):
    seen = 0
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
        seen += x.size(0)
        if seen >= most:
            break
# === samples of the whole world, undivided
import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, micro_batch_size, global_batch_size):
        self.model = model
        self.micro_batch_size = micro_batch_size
        self.global_batch_size = global_batch_size
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def fit(self, loader):
        consumed = 0
        for epoch in range(3):
            for x, y in loader:
                F.cross_entropy(self.model(x), y).backward()  # <- unscaled-accumulation-loss
                consumed += self.micro_batch_size
                if consumed < self.global_batch_size:
                    continue
                consumed = 0
                self.optimizer.step()
                self.optimizer.zero_grad()
# === samples over a limit, the rest is kept
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, images_per_update):
    images = 0
    for epoch in range(2):
        for x, y in loader:
            F.cross_entropy(model(x), y).backward()  # <- unscaled-accumulation-loss
            images += len(x)
            if images >= images_per_update:
                optimizer.step()
                optimizer.zero_grad()
                images -= images_per_update
# === samples of the pieces of a tensor: 17 of 6 leave two behind three windows of 30
import torch
from torch import nn

BIG, SMALL = 30, 6
data = torch.randn(102, 14)
net = nn.Linear(14, 1)
opt = torch.optim.Adam(net.parameters())


def one_epoch():
    filled, seen = 0, 0.0
    for idx in torch.randperm(len(data)).split(SMALL):
        loss = net(data[idx]).pow(2).mean()
        (loss * SMALL / BIG).backward()
        seen += loss.item() * len(idx)
        filled += len(idx)
        if filled >= BIG:  # <- dropped-accumulation-tail
            opt.step()
            opt.zero_grad()
            filled = 0
    return seen / len(data)


for epoch in range(4):
    print(one_epoch())
# === samples of a loader with data in sight, a count that each epoch begins anew
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(100, 14)), batch_size=4, shuffle=True)
net = nn.Linear(14, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(5):
    n = 0
    for (x,) in loader:
        (net(x).pow(2).mean() / 4).backward()
        n += x.shape[0]
        if n >= 16:  # <- dropped-accumulation-tail
            opt.step()
            opt.zero_grad()
            n = 0
# === right: samples of the pieces of a tensor: 20 of 6 are four windows of 30
import torch
from torch import nn

BIG, SMALL = 30, 6
data = torch.randn(120, 14)
net = nn.Linear(14, 1)
opt = torch.optim.Adam(net.parameters())


def one_epoch():
    filled = 0
    for idx in torch.randperm(len(data)).split(SMALL):
        loss = net(data[idx]).pow(2).mean()
        (loss * SMALL / BIG).backward()
        filled += len(idx)
        if filled >= BIG:
            opt.step()
            opt.zero_grad()
            filled = 0


for epoch in range(4):
    one_epoch()
# === right: samples of a loader with data in sight, whole windows of four batches
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(96, 14)), batch_size=4, shuffle=True)
net = nn.Linear(14, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(5):
    n = 0
    for (x,) in loader:
        (net(x).pow(2).mean() / 4).backward()
        n += x.shape[0]
        if n >= 14:
            opt.step()
            opt.zero_grad()
            n = 0
# === right: samples of the pieces of a tensor, and what is left goes at the end
import torch
from torch import nn

BIG, SMALL = 30, 6
data, target = torch.randn(102, 14), torch.randn(102, 1)
net = nn.Linear(14, 1)
opt = torch.optim.Adam(net.parameters())
for epoch in range(4):
    filled = 0
    for x, y in zip(data.split(SMALL), target.split(SMALL)):
        (nn.functional.mse_loss(net(x), y) * SMALL / BIG).backward()
        filled += len(x)
        if filled >= BIG:
            opt.step()
            opt.zero_grad()
            filled = 0
    if filled:
        opt.step()
        opt.zero_grad()
# === a permutation that is cut into windows of micro-batches
import torch
import torch.nn.functional as F

MICRO, ACCUM = 10, 5


def windows(n):
    keep = n // (MICRO * ACCUM) * MICRO * ACCUM
    return torch.randperm(n)[:keep].view(-1, ACCUM, MICRO)


def train(model, optimizer, x, y, epochs):
    for _ in range(epochs):
        for window in windows(len(x)):
            optimizer.zero_grad()
            for index in window:
                (F.mse_loss(model(x[index]), y[index]) / ACCUM).backward()
            optimizer.step()
# === a permutation that is cut into windows, and the mean is not taken
import torch
import torch.nn.functional as F


def train(model, optimizer, x, y, epochs, accum):
    for _ in range(epochs):
        for window in torch.randperm(len(x)).reshape(-1, accum, 8):
            optimizer.zero_grad()
            for index in window:
                F.mse_loss(model(x[index]), y[index]).backward()  # <- unscaled-accumulation-loss
            optimizer.step()
# === so many pieces, and the last one is stepped
import torch
import torch.nn.functional as F


def train(model, optimizer, x, y, epochs, pieces=7, accum=2):
    for _ in range(epochs):
        parts = torch.randperm(len(x)).chunk(pieces)
        for k, index in enumerate(parts):
            (F.mse_loss(model(x[index]), y[index]) / accum).backward()
            if (k + 1) % accum == 0 or k + 1 == len(parts):
                optimizer.step()
                optimizer.zero_grad()
# === so many pieces, and the last one is left over
import torch
import torch.nn.functional as F


def train(model, optimizer, x, y, epochs, pieces=7, accum=2):
    for _ in range(epochs):
        parts = torch.randperm(len(x)).chunk(pieces)
        for k, index in enumerate(parts):
            (F.mse_loss(model(x[index]), y[index]) / accum).backward()
            if (k + 1) % accum == 0:  # <- dropped-accumulation-tail
                optimizer.step()
                optimizer.zero_grad()
# === so many pieces as fill every window
import torch
import torch.nn.functional as F


def train(model, optimizer, x, y, epochs):
    for _ in range(epochs):
        for k, index in enumerate(torch.randperm(len(x)).chunk(8)):
            (F.mse_loss(model(x[index]), y[index]) / 2).backward()
            if (k + 1) % 2 == 0:
                optimizer.step()
                optimizer.zero_grad()
# === samples counted up to a number that nobody knows, anew in each epoch
import torch


def train(model, loader, optimizer, target, epochs):
    for epoch in range(epochs):
        seen = 0
        for x, y in loader:
            loss = torch.nn.functional.cross_entropy(model(x), y, reduction="sum") / target
            loss.backward()
            seen += len(x)
            if seen >= target:  # <- dropped-accumulation-tail
                optimizer.step()
                optimizer.zero_grad()
                seen = 0
# === right: they are counted on in the next epoch
import torch


def train(model, loader, optimizer, target, epochs):
    seen = 0
    for epoch in range(epochs):
        for x, y in loader:
            loss = torch.nn.functional.cross_entropy(model(x), y, reduction="sum") / target
            loss.backward()
            seen += len(x)
            if seen >= target:
                optimizer.step()
                optimizer.zero_grad()
                seen = 0
# === right: what is left behind the loop is stepped, if any were counted
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, samples):
    seen = 0
    for x, y in loader:
        loss = F.cross_entropy(model(x), y, reduction="sum") / samples
        loss.backward()
        seen += x.size(0)
        if seen >= samples:
            optimizer.step()
            optimizer.zero_grad()
            seen = 0
    if seen:
        optimizer.step()
        optimizer.zero_grad()

# === right: what is left behind the loop is stepped, if more than none were counted
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, samples):
    seen = 0
    for x, y in loader:
        loss = F.cross_entropy(model(x), y, reduction="sum") / samples
        loss.backward()
        seen += x.size(0)
        if seen >= samples:
            optimizer.step()
            optimizer.zero_grad()
            seen = 0
    if seen > 0:
        optimizer.step()
        optimizer.zero_grad()

# === right: what is left behind the loop is stepped, if their number is not none
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, samples):
    seen = 0
    for x, y in loader:
        loss = F.cross_entropy(model(x), y, reduction="sum") / samples
        loss.backward()
        seen += x.size(0)
        if seen >= samples:
            optimizer.step()
            optimizer.zero_grad()
            seen = 0
    if seen != 0:
        optimizer.step()
        optimizer.zero_grad()
