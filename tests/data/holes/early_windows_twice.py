# === windows that end one batch early, of batches that may go backward twice
import torch
from torch import nn


def train(args, loader, epochs):
    model = nn.Linear(2, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        for i, (x, y) in enumerate(loader):
            loss = (model(x) - y).square().mean() / args.step
            loss.backward()
            if args.noisy:
                loss = (model(x + torch.randn_like(x)) - y).square().mean() / args.step
                loss.backward()
            if i % args.step == 0:  # <- accumulation-off-by-one, dropped-accumulation-tail
                optimizer.step()
                optimizer.zero_grad()
# === right: the count goes on from epoch to epoch
import torch
from torch import nn


def train(args, loader, epochs):
    model = nn.Linear(2, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    done = 0
    for epoch in range(epochs):
        for x, y in loader:
            loss = (model(x) - y).square().mean() / args.step
            loss.backward()
            if args.noisy:
                loss = (model(x + torch.randn_like(x)) - y).square().mean() / args.step
                loss.backward()
            done += 1
            if done % args.step == 0:
                optimizer.step()
                optimizer.zero_grad()
# === right: the rest is stepped, too
import torch
from torch import nn


def train(args, loader, epochs):
    model = nn.Linear(2, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        for i, (x, y) in enumerate(loader):
            loss = (model(x) - y).square().mean() / args.step
            loss.backward()
            if args.noisy:
                loss = (model(x + torch.randn_like(x)) - y).square().mean() / args.step
                loss.backward()
            if (i + 1) % args.step == 0 or i + 1 == len(loader):
                optimizer.step()
                optimizer.zero_grad()
