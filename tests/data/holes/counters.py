# === a helper counts the samples, and says when they are enough
import torch
import torch.nn.functional as F


class Counter:
    def __init__(self, target):
        self.target = target
        self.seen = 0

    def add(self, n):
        self.seen += n
        if self.seen >= self.target:
            self.seen = 0
            return True
        return False


def train(model, loader, optimizer, samples):
    counter = Counter(samples)
    for x, y in loader:
        (F.cross_entropy(model(x), y, reduction="sum") / samples).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # <- clip-per-micro-batch
        if counter.add(x.size(0)):  # <- dropped-accumulation-tail
            optimizer.step()
            optimizer.zero_grad()
# === the clip comes once in a window, before its last backward
import torch
import torch.nn.functional as F


class Budget:
    def __init__(self, frames):
        self.frames = frames
        self.pending = 0

    def spend(self, n):
        self.pending += n
        full = self.pending >= self.frames
        if full:
            self.pending = 0
        return full


def train(model, batches, optimizer, scheduler, frames):
    budget = Budget(frames)
    for feats, lens, y in batches:
        loss = F.mse_loss(model(feats, lens), y, reduction="sum") / frames
        full = budget.spend(int(lens.sum()))
        if full:
            torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)  # <- clip-before-backward
        loss.backward()
        if full:  # <- dropped-accumulation-tail
            optimizer.step()
            optimizer.zero_grad()
        scheduler.step()
# === right: a helper counts the samples, and the clip goes with the step
import torch
import torch.nn.functional as F


class Counter:
    def __init__(self, target):
        self.target = target
        self.seen = 0

    def add(self, n):
        self.seen += n
        if self.seen >= self.target:
            self.seen = 0
            return True
        return False


def train(model, loader, optimizer, samples):
    counter = Counter(samples)
    for x, y in loader:
        loss = F.cross_entropy(model(x), y, reduction="sum") / samples
        loss.backward()
        if counter.add(x.size(0)):
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
    if counter.seen:
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
# === right: frames are counted, and all that comes once comes with the step
import torch
import torch.nn.functional as F


class Budget:
    def __init__(self, frames):
        self.frames = frames
        self.pending = 0

    def spend(self, n):
        self.pending += n
        full = self.pending >= self.frames
        if full:
            self.pending = 0
        return full


def train(model, batches, optimizer, scheduler, frames):
    budget = Budget(frames)
    for feats, lens, y in batches:
        loss = F.mse_loss(model(feats, lens), y, reduction="sum") / frames
        full = budget.spend(int(lens.sum()))
        loss.backward()
        if full:
            torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimizer.step()
            scheduler.step()
            optimizer.zero_grad()
    if budget.pending:
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        optimizer.zero_grad()
# === right: tokens are counted for the log, and a budget ends the run
import torch
import torch.nn.functional as F


def train(model, batches, optimizer, most, accum):
    tokens = 0
    for i, (x, y) in enumerate(batches):
        (F.cross_entropy(model(x), y) / accum).backward()
        tokens += int((y != 0).sum())
        if (i + 1) % accum == 0 or i + 1 == len(batches):
            optimizer.step()
            optimizer.zero_grad()
            print(tokens)
        if tokens >= most:
            break
# === counted only where no window ends
import torch


class Accumulator:
    def __init__(self, optimizer, every):
        self.optimizer, self.every, self.calls = optimizer, every, 0

    def backward(self, loss):
        (loss / self.every).backward()
        if self.calls == self.every:  # <- accumulation-off-by-one
            self.optimizer.step()
            self.optimizer.zero_grad()
            self.calls = 0
        else:
            self.calls += 1


def main(model, loader):
    window = Accumulator(torch.optim.SGD(model.parameters(), lr=0.3), every=4)
    for epoch in range(3):
        for x, y in loader:
            window.backward(torch.nn.functional.mse_loss(model(x), y))
# === each window is one longer than the last
import torch


def main(model, batches, size=2):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.3)
    held = 0
    for x, y in batches:
        (torch.nn.functional.mse_loss(model(x), y) / size).backward()
        held += 1
        if held == size:
            optimizer.step()
            optimizer.zero_grad()
            held, size = 0, size + 1
