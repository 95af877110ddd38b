# === two labels by a share, never divided
import random

import torch
import torch.nn.functional as F


def train(model, loader, accum=4):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        share = random.betavariate(0.4, 0.4)
        order = torch.randperm(len(x))
        out = model(share * x + (1 - share) * x[order])
        loss = F.cross_entropy(out, y) * share + F.cross_entropy(out, y[order]) * (1.0 - share)
        loss.backward()  # <- unscaled-accumulation-loss
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()


# === two labels by a share that a criterion of the file weighs, divided twice
import numpy as np
import torch


def mixed(criterion, out, a, b, lam):
    return lam * criterion(out, a) + (1 - lam) * criterion(out, b)


def train(model, loader, accum=4):
    criterion = torch.nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, a, b) in enumerate(loader):
        lam = np.random.beta(1.0, 1.0)
        loss = mixed(criterion, model(x), a, b, lam) / accum
        (loss / accum).backward()  # <- accumulation-divisor-mismatch
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()


# === two labels by a share, divided once
import numpy as np
import torch


def mixed(criterion, out, a, b, lam):
    return lam * criterion(out, a) + (1 - lam) * criterion(out, b)


def train(model, loader, accum=4):
    criterion = torch.nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, a, b) in enumerate(loader):
        lam = np.random.beta(1.0, 1.0)
        loss = mixed(criterion, model(x), a, b, lam) / accum
        loss.backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()


# === shares of a batch that make a whole in the window
import torch
import torch.nn.functional as F


def train(model, loader, total, accum=4):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y, z) in enumerate(loader):
        out = model(x)
        loss = F.cross_entropy(out, y) * (len(x) / total) + F.cross_entropy(out, z) * (len(z) / total)
        loss.backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()


# === two losses by a share that has a name, in a window that divides neither
import torch
import torch.nn.functional as F

alpha, temperature = 0.5, 2.0


def train(model, teacher, loader, accum=4):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        out = model(x)
        with torch.no_grad():
            soft = teacher(x)
        kd = F.mse_loss(out, soft) * temperature * temperature
        loss = alpha * kd + (1 - alpha) * F.cross_entropy(out, y)
        loss.backward()  # <- unscaled-accumulation-loss
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()


# === and in one that divides both
import torch
import torch.nn.functional as F

alpha, temperature = 0.5, 2.0


def train(model, teacher, loader, accum=4):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        out = model(x)
        with torch.no_grad():
            soft = teacher(x)
        kd = F.mse_loss(out, soft) * temperature * temperature
        loss = alpha * kd + (1 - alpha) * F.cross_entropy(out, y)
        (loss / accum).backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()


# === two losses by an option and what it leaves, never divided
import argparse

import torch
import torch.nn.functional as F

parser = argparse.ArgumentParser()
parser.add_argument("--metric-part", type=float, required=True)
parser.add_argument("--accum", type=int, default=2)
args = parser.parse_args()


def train(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        out, near = model(x)
        part = args.metric_part
        loss = F.cross_entropy(out, y) * (1 - part) + F.cross_entropy(near, y) / 2 * part
        loss.backward()  # <- unscaled-accumulation-loss
        if (i + 1) % args.accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()


# === two losses by an option and what it leaves, divided
import argparse

import torch
import torch.nn.functional as F

parser = argparse.ArgumentParser()
parser.add_argument("--metric-part", type=float, required=True)
parser.add_argument("--accum", type=int, default=2)
args = parser.parse_args()


def train(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        out, near = model(x)
        part = args.metric_part
        loss = F.cross_entropy(out, y) * (1 - part) + F.cross_entropy(near, y) / 2 * part
        (loss / args.accum).backward()
        if (i + 1) % args.accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()


# === two losses by options that need not make a whole: a window's share may be in them
import argparse

import torch
import torch.nn.functional as F

parser = argparse.ArgumentParser()
parser.add_argument("--near-part", type=float, required=True)
parser.add_argument("--far-part", type=float, required=True)
parser.add_argument("--accum", type=int, default=2)
args = parser.parse_args()


def train(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        out, near = model(x)
        loss = F.cross_entropy(out, y) * args.far_part + F.cross_entropy(near, y) * args.near_part
        loss.backward()
        if (i + 1) % args.accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
