# === total of an opaque dictionary
import torch


def train(model, criterion, loader, optimizer, accum):
    for i, (x, y) in enumerate(loader):
        losses = criterion(model(x), y)
        loss = losses["total"]
        loss.backward()  # <- unscaled-accumulation-loss
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === loss in the model's output by key
import torch


def train(model, loader, optimizer, accum):
    for i, batch in enumerate(loader):
        out = model(**batch)
        out["loss"].backward()  # <- unscaled-accumulation-loss
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === kept in a dictionary of its own
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, accum):
    for i, (x, y) in enumerate(loader):
        state = {}
        state["loss"] = F.cross_entropy(model(x), y)
        state["loss"].backward()  # <- unscaled-accumulation-loss
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === a dictionary that a method fills
import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, accum):
        self.model = model
        self.accum = accum
        self.losses = {}
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def compute(self, x, y):
        out = self.model(x)
        self.losses["main"] = F.cross_entropy(out, y)
        self.losses["extra"] = 0.1 * out.abs().mean()

    def fit(self, loader):
        for i, (x, y) in enumerate(loader):
            self.compute(x, y)
            total = self.losses["main"] + self.losses["extra"]
            total.backward()  # <- unscaled-accumulation-loss
            if (i + 1) % self.accum == 0 or i + 1 == len(loader):
                self.optimizer.step()
                self.optimizer.zero_grad()
# === get with a default, sum over selected keys
import torch


def train(model, criterion, loader, optimizer, accum, keys=("a", "b")):
    for i, (x, y) in enumerate(loader):
        parts = criterion(model(x), y)
        loss = sum(parts[key] for key in keys)
        loss.backward()  # <- unscaled-accumulation-loss
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === popped from an opaque dictionary, kept with its graph
import torch


def train(model, criterion, loader, optimizer):
    running = 0.0
    for x, y in loader:
        losses = criterion(model(x), y)
        loss = losses.pop("loss")
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        running += loss  # <- loss-graph-leak
    return running / len(loader)
# === right: total of an opaque dictionary, divided
import torch


def train(model, criterion, loader, optimizer, accum):
    for i, (x, y) in enumerate(loader):
        losses = criterion(model(x), y)
        loss = losses["total"] / accum
        loss.backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === right: divided in the dictionary
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, accum):
    for i, (x, y) in enumerate(loader):
        state = {}
        state["loss"] = F.cross_entropy(model(x), y)
        state["loss"] /= accum
        state["loss"].backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === right: divided in the model's output
import torch


def train(model, loader, optimizer, accum):
    for i, batch in enumerate(loader):
        out = model(**batch)
        out["loss"] = out["loss"] / accum
        out["loss"].backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === right: each entry divided in an opaque dictionary
import torch


def train(model, criterion, loader, optimizer, accum):
    for i, (x, y) in enumerate(loader):
        losses = criterion(model(x), y)
        for name in losses:
            losses[name] = losses[name] / accum
        loss = sum(losses.values())
        loss.backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === right: the helper that makes the dictionary is given the window
import torch


def train(model, criterion, loader, optimizer, accum):
    for i, (x, y) in enumerate(loader):
        losses = criterion(model(x), y, scale=1 / accum)
        losses["total"].backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === a total under a name grows by the loss
import torch
from torch import nn

net = nn.Linear(4, 1)
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
sums = {"mse": 0.0, "mae": 0.0}
for i in range(30):
    x = torch.randn(7, 4)
    mse, mae = net(x).pow(2).mean(), net(x).abs().mean()
    opt.zero_grad()
    (mse + mae).backward()
    opt.step()
    sums["mse"] = sums["mse"] + mse.item()
    sums["mae"] = sums["mae"] + mae  # <- loss-graph-leak
print({key: float(value) / 30 for key, value in sums.items()})
# === right: a total under a name is made anew for each batch
import torch
from torch import nn

net = nn.Linear(4, 1)
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
for i in range(30):
    sums = {"all": 0.0}
    for part in torch.randn(3, 7, 4):
        sums["all"] = sums["all"] + net(part).pow(2).mean()
    opt.zero_grad()
    sums["all"].backward()
    opt.step()
# === a total that may not be there yet grows by the loss
import torch
from torch import nn

net = nn.Linear(4, 1)
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
sums = {}
for i in range(30):
    loss = net(torch.randn(7, 4)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    sums["loss"] = sums.get("loss", 0.0) + loss  # <- loss-graph-leak
# === right: a total under another name is the last loss only
import torch
from torch import nn

net = nn.Linear(4, 1)
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
last = {"a": 0.0, "b": 0.0}
for i in range(30):
    loss = net(torch.randn(7, 4)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    last["a"] = last["b"] + loss.detach()
    last["b"] = loss.item()
# === settings that nobody knows are copied, and asked with a default
import torch
from elsewhere import load


def main(net, loader, path):
    cfg = load(path)
    train_cfg = dict(cfg).get("training", {})
    accum = train_cfg.get("accumulate_grad_batches", 1)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(3):
        for i, x in enumerate(loader):
            (net(x).mean() / accum).backward()
            if (i + 1) % accum == 0:  # <- dropped-accumulation-tail
                opt.step()
                opt.zero_grad()
# === right: a dictionary of one's own is copied
import torch


def main(net, loader):
    cfg = {"training": {"accumulate_grad_batches": 1}}
    train_cfg = dict(cfg).get("training", {})
    accum = train_cfg.get("accumulate_grad_batches", 1)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(3):
        for i, x in enumerate(loader):
            (net(x).mean() / accum).backward()
            if (i + 1) % accum == 0:
                opt.step()
                opt.zero_grad()
# === what is set in a copy of settings is not set in these
import torch
from torch.nn import functional as F
from elsewhere import load


def main(net, loader, path):
    cfg = load(path)
    other = dict(cfg)
    other["accum"] = 1
    accum = cfg["accum"]
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(3):
        for i, (x, y) in enumerate(loader):
            (F.mse_loss(net(x), y) / accum).backward()
            if (i + 1) % accum == 0:  # <- dropped-accumulation-tail
                opt.step()
                opt.zero_grad()
# === right: it is asked of the copy
import torch
from torch.nn import functional as F
from elsewhere import load


def main(net, loader, path):
    cfg = load(path)
    other = dict(cfg)
    other["accum"] = 1
    accum = other["accum"]
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(3):
        for i, (x, y) in enumerate(loader):
            (F.mse_loss(net(x), y) / accum).backward()
            if (i + 1) % accum == 0:
                opt.step()
                opt.zero_grad()
