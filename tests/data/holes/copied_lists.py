# === a list of the same batches, moved with each
import torch
import torch.nn.functional as F
from torch.optim.lr_scheduler import CosineAnnealingLR


def train(net, x, y):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    pairs = [pair for pair in zip(x.split(4), y.split(4))]
    parts = 3
    updates = 100
    schedule = CosineAnnealingLR(optimizer, T_max=updates)
    for epoch in range(5):
        for i, (a, b) in enumerate(pairs, 1):
            (F.mse_loss(net(a), b) / parts).backward()
            schedule.step()  # <- scheduler-per-micro-batch
            if i % parts == 0 or i == len(pairs):
                optimizer.step()
                optimizer.zero_grad()
# === right: a list of the same batches, moved with the step
import torch
import torch.nn.functional as F
from torch.optim.lr_scheduler import CosineAnnealingLR


def train(net, x, y):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    pairs = [pair for pair in zip(x.split(4), y.split(4))]
    parts = 3
    schedule = CosineAnnealingLR(optimizer, T_max=100)
    for epoch in range(5):
        for i, (a, b) in enumerate(pairs, 1):
            (F.mse_loss(net(a), b) / parts).backward()
            if i % parts == 0 or i == len(pairs):
                optimizer.step()
                schedule.step()
                optimizer.zero_grad()
# === lines of a text, taken over one by one, and summed
import torch
import torch.nn.functional as F


def train(net, ids):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    lines = [line for line in ids.split(8)]
    accum = 4
    for epoch in range(5):
        for i, line in enumerate(lines):
            F.cross_entropy(net(line[:, :-1]), line[:, 1:]).backward()  # <- unscaled-accumulation-loss
            if (i + 1) % accum == 0 or i + 1 == len(lines):
                optimizer.step()
                optimizer.zero_grad()
# === right: lines of a text, taken over one by one
import torch
import torch.nn.functional as F


def train(net, ids):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    lines = [line for line in ids.split(8)]
    accum = 4
    for epoch in range(5):
        for i, line in enumerate(lines):
            (F.cross_entropy(net(line[:, :-1]), line[:, 1:]) / accum).backward()
            if (i + 1) % accum == 0 or i + 1 == len(lines):
                optimizer.step()
                optimizer.zero_grad()
# === right: weights that are taken over one by one are clipped and stepped
import torch
import torch.nn.functional as F


def train(net, weights, loader):
    chosen = [one for one in weights]
    optimizer = torch.optim.SGD(chosen, lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        F.mse_loss(net(x), y).backward()
        torch.nn.utils.clip_grad_norm_(chosen, 1.0)
        optimizer.step()
