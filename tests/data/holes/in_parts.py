# === a submodule alone is cleared
import torch
import torch.nn.functional as F
from torch import nn


class Tagger(nn.Module):
    def __init__(self, trunk, width, tags):
        super().__init__()
        self.trunk = trunk
        self.head = nn.Linear(width, tags)

    def forward(self, x):
        return self.head(self.trunk(x))


def train(trunk, loader):
    model = Tagger(trunk, 128, 9)
    optimizer = torch.optim.SGD(
        [{"params": model.trunk.parameters(), "lr": 0.01}, {"params": model.head.parameters()}], lr=0.1
    )
    for x, y in loader:
        model.trunk.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()  # <- missing-zero-grad


# === both submodules are cleared
import torch
import torch.nn.functional as F
from torch import nn


class Tagger(nn.Module):
    def __init__(self, trunk, width, tags):
        super().__init__()
        self.trunk = trunk
        self.head = nn.Linear(width, tags)

    def forward(self, x):
        return self.head(self.trunk(x))


def train(trunk, loader):
    model = Tagger(trunk, 128, 9)
    optimizer = torch.optim.SGD(
        [{"params": model.trunk.parameters(), "lr": 0.01}, {"params": model.head.parameters()}], lr=0.1
    )
    for x, y in loader:
        model.trunk.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
        model.head.zero_grad()


# === one of two networks is cleared
import torch
import torch.nn.functional as F


def train(encoder, decoder, loader):
    optimizer = torch.optim.Adam([*encoder.parameters(), *decoder.parameters()], lr=1e-3)
    for x, y in loader:
        encoder.zero_grad()
        loss = F.mse_loss(decoder(encoder(x)), y)
        loss.backward()
        optimizer.step()  # <- missing-zero-grad


# === two networks are cleared one after the other
import torch
import torch.nn.functional as F


def train(encoder, decoder, loader):
    optimizer = torch.optim.Adam([*encoder.parameters(), *decoder.parameters()], lr=1e-3)
    for x, y in loader:
        for net in (encoder, decoder):
            net.zero_grad()
        loss = F.mse_loss(decoder(encoder(x)), y)
        loss.backward()
        optimizer.step()


# === the whole is cleared by its own name
import torch
import torch.nn.functional as F


def train(model, loader):
    groups = [{"params": model.body.parameters(), "lr": 0.01}, {"params": model.head.parameters()}]
    optimizer = torch.optim.SGD(groups, lr=0.1)
    for x, y in loader:
        model.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
