# === weighed by ones of the shape of the answer
import torch


def train(model, loader, optimizer, accum):
    for i, (x, y) in enumerate(loader):
        answer = model(x)
        loss = torch.mean(torch.ones_like(answer) * torch.abs(answer - y))
        loss.backward()  # <- unscaled-accumulation-loss
        if (i + 1) % accum == 0:  # <- dropped-accumulation-tail
            optimizer.step()
            optimizer.zero_grad()
# === right: each has its share of the shape of the loss
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, accum):
    optimizer.zero_grad()
    for i, (x, y) in enumerate(loader):
        loss = F.mse_loss(model(x), y)
        share = torch.full_like(loss, 1 / accum)
        (loss * share).backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === right: each goes backward with its share
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, accum):
    optimizer.zero_grad()
    for i, (x, y) in enumerate(loader):
        loss = F.mse_loss(model(x), y, reduction="none")
        loss.backward(torch.full_like(loss, 1 / (accum * loss.numel())))
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === right: an adversary's labels have the shape of its answer
import torch
import torch.nn.functional as F


def train(critic, loader, optimizer, accum):
    optimizer.zero_grad()
    for i, (real, fake) in enumerate(loader):
        one, other = critic(real), critic(fake)
        loss = F.binary_cross_entropy(one, torch.ones_like(one)) + F.binary_cross_entropy(other, torch.zeros_like(other))
        (loss / accum).backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
