# === one way a second loss is divided by who knows what, the first goes back whole either way
import argparse

import torch
import torch.nn.functional as F

parser = argparse.ArgumentParser()
parser.add_argument("--hints", action="store_true")
parser.add_argument("--layers", type=int, required=True)
parser.add_argument("--accum", type=int, default=4)
args = parser.parse_args()


def train(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y, hint) in enumerate(loader):
        out, inner = model(x)
        loss = F.cross_entropy(out, y)
        if args.hints:
            loss = loss + F.mse_loss(inner, hint) / max(1, args.layers)
        loss.backward()  # <- unscaled-accumulation-loss
        if (i + 1) % args.accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === right: one way the whole of both is divided by who knows what
import argparse

import torch
import torch.nn.functional as F

parser = argparse.ArgumentParser()
parser.add_argument("--hints", action="store_true")
parser.add_argument("--layers", type=int, required=True)
parser.add_argument("--accum", type=int, default=4)
args = parser.parse_args()


def train(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y, hint) in enumerate(loader):
        out, inner = model(x)
        loss = F.cross_entropy(out, y)
        if args.hints:
            loss = (loss + F.mse_loss(inner, hint)) / max(1, args.layers)
        loss.backward()
        if (i + 1) % args.accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === right: one way the gradients themselves are divided by who knows what
import argparse

import torch
import torch.nn.functional as F

parser = argparse.ArgumentParser()
parser.add_argument("--hints", action="store_true")
parser.add_argument("--layers", type=int, required=True)
parser.add_argument("--accum", type=int, default=4)
args = parser.parse_args()


def train(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y, hint) in enumerate(loader):
        out, inner = model(x)
        loss = F.cross_entropy(out, y)
        if args.hints:
            loss = loss + F.mse_loss(inner, hint) / max(1, args.layers)
        loss.backward()
        if (i + 1) % args.accum == 0 or i + 1 == len(loader):
            if args.hints:
                for p in model.parameters():
                    p.grad /= args.layers
            optimizer.step()
            optimizer.zero_grad()
