# === cleared at the first of a window, which one of one has not
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, accum=1):
    for step, (x, y) in enumerate(loader, 1):
        if step % accum == 1:
            optimizer.zero_grad()
        (F.cross_entropy(model(x), y) / accum).backward()
        if step % accum == 0 or step == len(loader):
            optimizer.step()  # <- missing-zero-grad
# === right: the literal is the default of the window
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, accum=4):
    for i, (x, y) in enumerate(loader):
        (F.cross_entropy(model(x), y) / 4).backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === right: the literal is the default of an option
import argparse

import torch
import torch.nn.functional as F


def main(model, loader, optimizer):
    parser = argparse.ArgumentParser()
    parser.add_argument("--accum-steps", type=int, default=4)
    args = parser.parse_args()
    for i, (x, y) in enumerate(loader):
        (F.cross_entropy(model(x), y) / args.accum_steps).backward()
        if (i + 1) % 4 == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === the literal is not the default of the window
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, accum=4):
    for i, (x, y) in enumerate(loader):
        (F.cross_entropy(model(x), y) / 8).backward()  # <- accumulation-divisor-mismatch
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === right: cleared at the first of a window of at least two
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, accum=4):
    for step, (x, y) in enumerate(loader, 1):
        if step % accum == 1:
            optimizer.zero_grad()
        (F.cross_entropy(model(x), y) / accum).backward()
        if step % accum == 0 or step == len(loader):
            optimizer.step()
# === right: the flush is made only where something is left
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, accum):
    for epoch in range(3):
        for i, (x, y) in enumerate(loader):
            if i % accum == 0:
                optimizer.zero_grad()
            (F.cross_entropy(model(x), y) / accum).backward()
            if (i + 1) % accum == 0:
                optimizer.step()
        if len(loader) % accum:
            optimizer.step()
