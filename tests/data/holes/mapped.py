# === the losses that a model returns are each divided by a function that goes over them
import torch


def train(model, loader, accum):
    optimizer = torch.optim.Adam(model.parameters())
    for i, (x, y) in enumerate(loader, 1):
        one, two = tuple(map(lambda loss: loss / accum, model(x, y)))
        total = one + two
        total.backward()
        if i % accum == 0 or i == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === the same, and they are not
import torch


def train(model, loader, accum):
    optimizer = torch.optim.Adam(model.parameters())
    for i, (x, y) in enumerate(loader, 1):
        one, two = tuple(map(lambda loss: loss.mean(), model(x, y)))
        total = one + two
        total.backward()  # <- unscaled-accumulation-loss
        if i % accum == 0 or i == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === two losses are divided by a function with a name
import torch
import torch.nn.functional as F


def train(model, loader, accum):
    def share(loss):
        return loss / accum

    optimizer = torch.optim.Adam(model.parameters())
    for i, (x, y) in enumerate(loader, 1):
        guess = model(x)
        one, two = map(share, [F.cross_entropy(guess, y), F.mse_loss(guess, y)])
        (one + two).backward()
        if i % accum == 0 or i == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === two losses are averaged by a function with a name, and divided by nobody
import torch
import torch.nn.functional as F


def train(model, loader, accum):
    def mean(loss):
        return loss.mean()

    optimizer = torch.optim.Adam(model.parameters())
    for i, (x, y) in enumerate(loader, 1):
        guess = model(x)
        one, two = map(mean, [F.cross_entropy(guess, y), F.mse_loss(guess, y)])
        (one + two).backward()  # <- unscaled-accumulation-loss
        if i % accum == 0 or i == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === losses that are left after a choice are as they were
import torch
import torch.nn.functional as F


def train(model, loader, accum):
    optimizer = torch.optim.Adam(model.parameters())
    for i, (x, y) in enumerate(loader, 1):
        guess = model(x)
        losses = [F.cross_entropy(guess, y) / accum, F.mse_loss(guess, y) / accum]
        sum(filter(lambda loss: loss is not None, losses)).backward()
        if i % accum == 0 or i == len(loader):
            optimizer.step()
            optimizer.zero_grad()
