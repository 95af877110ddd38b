# === the file insists on windows of one
import argparse

import torch
from accelerate import Accelerator


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--accum_steps", type=int, default=1)
    args = parser.parse_args()
    assert args.accum_steps == 1, "not supported yet"
    return args


def main(model, loader):
    args = options()
    accelerator = Accelerator(gradient_accumulation_steps=args.accum_steps)
    optimizer = torch.optim.AdamW(model.parameters())
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for x, y in loader:
        loss = torch.nn.functional.mse_loss(model(x), y)
        accelerator.backward(loss)
        optimizer.step()
        optimizer.zero_grad()
# === it does not
import argparse

import torch
from accelerate import Accelerator


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--accum_steps", type=int, default=1)
    args = parser.parse_args()
    assert args.accum_steps > 0
    return args


def main(model, loader):
    args = options()
    accelerator = Accelerator(gradient_accumulation_steps=args.accum_steps)
    optimizer = torch.optim.AdamW(model.parameters())
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for x, y in loader:
        loss = torch.nn.functional.mse_loss(model(x), y)
        accelerator.backward(loss)  # <- accumulation-divisor-mismatch
        optimizer.step()
        optimizer.zero_grad()
# === one branch insists on windows of one
import torch
import torch.nn.functional as F


def train(args, model, loader):
    if args.tpu:
        assert args.accum_steps == 1
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader, 1):
        F.mse_loss(model(x), y).backward()  # <- unscaled-accumulation-loss
        if i % args.accum_steps == 0:
            optimizer.step()
            optimizer.zero_grad()
# === right: a call inside of an assertion clears what a first loop has left
import torch


class Group:
    def __init__(self):
        self.added = 0

    def note(self):
        self.added += 1

    def give_up(self, optimizer):
        gone, self.added = self.added, 0
        optimizer.zero_grad()
        return gone


def test_given_up(size=4, bad=2):
    weight = torch.nn.Parameter(torch.tensor(1.0))
    optimizer = torch.optim.SGD([weight], lr=1.0)
    group = Group()
    for _ in range(bad):
        weight.backward()
        group.note()
    assert group.give_up(optimizer) == bad
    assert group.added == 0
    for _ in range(size):
        (weight / size).backward()
        group.note()
    optimizer.step()
    optimizer.zero_grad()
# === an assertion that clears nothing
import torch


def test_kept(size=4, bad=4):
    weight = torch.nn.Parameter(torch.tensor(1.0))
    optimizer = torch.optim.SGD([weight], lr=1.0)
    for _ in range(bad):
        (weight / size).backward()  # <- accumulation-divisor-mismatch
    assert weight.grad is not None
    for _ in range(size):
        (weight / size).backward()
    optimizer.step()
    optimizer.zero_grad()
# === what an assertion calls comes between the backward and the step
import torch


def test_cleared(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
    for x, y in loader:
        loss = torch.nn.functional.mse_loss(model(x), y)
        loss.backward()
        assert optimizer.zero_grad() is None  # <- zero-grad-before-step
        optimizer.step()
# === right: what an assertion calls clears in front of it
import torch


def test_cleared_first(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
    for x, y in loader:
        assert optimizer.zero_grad() is None
        loss = torch.nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
