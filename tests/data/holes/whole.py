# === the loop is left before the batches that fill no window, literal window, clipped while scaled
import torch
from torch.utils.data import DataLoader


def train(model, dataset, optimizer, criterion, scaler, epochs):
    loader = DataLoader(dataset, batch_size=8, shuffle=True)
    usable = len(loader) - len(loader) % 12
    for epoch in range(epochs):
        for i, (x, y) in enumerate(loader):
            if i == usable:
                break
            with torch.autocast("cuda"):
                loss = criterion(model(x), y) / 12
            scaler.scale(loss).backward()
            if (i + 1) % 12 == 0:
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # <- clip-scaled-gradients
                scaler.step(optimizer)
                scaler.update()
                optimizer.zero_grad()
# === the same, unscaled before the clip
import torch
from torch.utils.data import DataLoader


def train(model, dataset, optimizer, criterion, scaler, epochs):
    loader = DataLoader(dataset, batch_size=8, shuffle=True)
    usable = len(loader) - len(loader) % 12
    for epoch in range(epochs):
        for i, (x, y) in enumerate(loader):
            if i == usable:
                break
            with torch.autocast("cuda"):
                loss = criterion(model(x), y) / 12
            scaler.scale(loss).backward()
            if (i + 1) % 12 == 0:
                scaler.unscale_(optimizer)
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                scaler.step(optimizer)
                scaler.update()
                optimizer.zero_grad()
# === whole windows are taken from the front, their size comes from the caller, not divided
from itertools import islice

import torch.nn.functional as F


def run(model, optimizer, loader, every):
    whole = len(loader) // every * every
    for i, (x, y) in enumerate(islice(loader, whole)):
        loss = F.cross_entropy(model(x), y)
        loss.backward()  # <- unscaled-accumulation-loss
        if (i + 1) % every == 0:
            optimizer.step()
            optimizer.zero_grad()


def main(model, optimizer, loader):
    run(model, optimizer, loader, every=20)
# === the same, divided
from itertools import islice

import torch.nn.functional as F


def run(model, optimizer, loader, every):
    whole = len(loader) // every * every
    for i, (x, y) in enumerate(islice(loader, whole)):
        loss = F.cross_entropy(model(x), y) / every
        loss.backward()
        if (i + 1) % every == 0:
            optimizer.step()
            optimizer.zero_grad()


def main(model, optimizer, loader):
    run(model, optimizer, loader, every=20)
# === a window is so many of a stream, and another number divides
from itertools import cycle, islice

import torch.nn.functional as F

PIECES = 12


def train(model, optimizer, loader, updates):
    stream = cycle(loader)
    for _ in range(updates):
        optimizer.zero_grad()
        for x, y in islice(stream, PIECES):
            loss = F.mse_loss(model(x), y) + 0.1 * model.penalty(x)
            (loss / 6).backward()  # <- accumulation-divisor-mismatch
        optimizer.step()
# === a window is so many of a stream, and that number divides
from itertools import cycle, islice

import torch.nn.functional as F

PIECES = 12


def train(model, optimizer, loader, updates):
    stream = cycle(loader)
    for _ in range(updates):
        optimizer.zero_grad()
        for x, y in islice(stream, PIECES):
            loss = F.mse_loss(model(x), y) + 0.1 * model.penalty(x)
            (loss / PIECES).backward()
        optimizer.step()
# === where the window began is computed, the last one is shorter, zeroed too early
import torch.nn.functional as F


def train(model, loader, optimizer, epochs):
    count = len(loader)
    for epoch in range(epochs):
        for i, (x, y) in enumerate(loader):
            begin = i - i % 4
            size = min(4, count - begin)
            optimizer.zero_grad()  # <- zero-grad-in-accumulation
            (F.mse_loss(model(x), y) / size).backward()
            if i == begin + size - 1:
                optimizer.step()
# === where the window began is computed, the last one is shorter
import torch.nn.functional as F


def train(model, loader, optimizer, epochs):
    count = len(loader)
    for epoch in range(epochs):
        for i, (x, y) in enumerate(loader):
            begin = i - i % 4
            size = min(4, count - begin)
            (F.mse_loss(model(x), y) / size).backward()
            if i + 1 < begin + size:
                continue
            optimizer.step()
            optimizer.zero_grad()
# === where the window began is computed, its size comes from the caller
import torch.nn.functional as F


def train(model, loader, optimizer, n, epochs):
    count = len(loader)
    for epoch in range(epochs):
        for i, (x, y) in enumerate(loader):
            begin = i - i % n
            size = min(n, count - begin)
            (F.mse_loss(model(x), y) / size).backward()
            if i + 1 == begin + size:
                optimizer.step()
                optimizer.zero_grad()
