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
