# === a network of the criterion runs in float32 behind the one that runs in bfloat16
import torch
from torch import nn


class Perceptual(nn.Module):
    def __init__(self, weight):
        super().__init__()
        self.net = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU())
        self.weight = weight

    def forward(self, out, target):
        return (out - target).abs().mean() + self.weight * (self.net(out) - self.net(target)).pow(2).mean()


def fit(net, optimizer, loader):
    scaler, criterion = torch.amp.GradScaler("cuda"), Perceptual(0.1)
    for x in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.bfloat16):
            out = net(x)
        loss = criterion(out.float(), x)
        scaler.scale(loss).backward()  # <- scaler-with-bfloat16
        scaler.step(optimizer)
        scaler.update()


# === right: that of the criterion runs in float16
import torch
from torch import nn


class Perceptual(nn.Module):
    def __init__(self, weight):
        super().__init__()
        self.net = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU())
        self.weight = weight

    def forward(self, out, target):
        return (out - target).abs().mean() + self.weight * (self.net(out) - self.net(target)).pow(2).mean()


def fit(net, optimizer, loader):
    scaler, criterion = torch.amp.GradScaler("cuda"), Perceptual(0.1)
    for x in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.bfloat16):
            out = net(x)
        with torch.autocast("cuda", dtype=torch.float16):
            loss = criterion(out, x)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()


# === right: two networks, and one runs in float16
import torch


def fit(encoder, decoder, optimizer, loader):
    scaler = torch.amp.GradScaler("cuda")
    for x in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.bfloat16):
            code = encoder(x)
        with torch.autocast("cuda"):
            out = decoder(code)
        scaler.scale((out.float() - x).pow(2).mean()).backward()
        scaler.step(optimizer)
        scaler.update()


# === right: the scaler is off
import torch


def fit(net, critic, optimizer, loader):
    scaler = torch.amp.GradScaler("cuda", enabled=False)
    for x in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.bfloat16):
            out = net(x)
        scaler.scale(critic(out.float()).mean()).backward()
        scaler.step(optimizer)
        scaler.update()
