# === dict of defaults, updated, undivided
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, args):
    cfg = dict(accum=1, lr=0.1)
    cfg.update(args)
    for i, (x, y) in enumerate(loader):
        F.cross_entropy(model(x), y).backward()  # <- unscaled-accumulation-loss
        if (i + 1) % cfg["accum"] == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === module defaults merged with stars, zero in the window
import torch
import torch.nn.functional as F

DEFAULTS = {"accumulation": 1, "clip": 1.0}


def train(model, loader, optimizer, **options):
    settings = {**DEFAULTS, **options}
    for i, (x, y) in enumerate(loader):
        optimizer.zero_grad()  # <- zero-grad-in-accumulation
        (F.mse_loss(model(x), y) / settings["accumulation"]).backward()
        if (i + 1) % settings["accumulation"] == 0 or i + 1 == len(loader):
            optimizer.step()
# === flag in a dictionary that is updated, clip scaled
import torch
import torch.nn.functional as F


def main(model, loader, overrides):
    config = {"fp16": False, "clip": 1.0}
    config.update(overrides)
    optimizer = torch.optim.AdamW(model.parameters())
    scaler = torch.amp.GradScaler("cuda", enabled=config["fp16"])
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", enabled=config["fp16"]):
            loss = F.cross_entropy(model(x), y)
        scaler.scale(loss).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), config["clip"])  # <- clip-scaled-gradients
        scaler.step(optimizer)
        scaler.update()
# === class attribute dictionary, updated in init, undivided
import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, config):
        self.config = {"accum_steps": 1, "epochs": 3}
        self.config.update(config)
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def fit(self, loader):
        n = self.config["accum_steps"]
        for epoch in range(self.config["epochs"]):
            for i, (x, y) in enumerate(loader):
                F.cross_entropy(self.model(x), y).backward()  # <- unscaled-accumulation-loss
                if (i + 1) % n == 0 or i + 1 == len(loader):
                    self.optimizer.step()
                    self.optimizer.zero_grad()
# === a flag that is off in the dictionary, distributed after all
import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP

cfg = {"ddp": False, "accum": 2}


def configure(path):
    import json

    cfg.update(json.load(open(path)))


def train(model, loader, optimizer):
    if cfg["ddp"]:
        model = DDP(model)
    for i, (x, y) in enumerate(loader):
        (F.cross_entropy(model(x), y) / cfg["accum"]).backward()  # <- missing-no-sync
        if (i + 1) % cfg["accum"] == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === right: divided
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, args):
    cfg = dict(accum=1, lr=0.1)
    cfg.update(args)
    for i, (x, y) in enumerate(loader):
        (F.cross_entropy(model(x), y) / cfg["accum"]).backward()
        if (i + 1) % cfg["accum"] == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === right: updated with what is known
import torch
import torch.nn.functional as F


def train(model, loader, optimizer):
    cfg = dict(accum=4, lr=0.1)
    cfg.update({"accum": 1})
    for i, (x, y) in enumerate(loader):
        F.cross_entropy(model(x), y).backward()
        if (i + 1) % cfg["accum"] == 0:
            optimizer.step()
            optimizer.zero_grad()
# === right: the flag guards everything
import torch
import torch.nn.functional as F


def main(model, loader, overrides):
    config = {"fp16": False, "clip": 1.0}
    config.update(overrides)
    optimizer = torch.optim.AdamW(model.parameters())
    scaler = torch.amp.GradScaler("cuda", enabled=config["fp16"])
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", enabled=config["fp16"]):
            loss = F.cross_entropy(model(x), y)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(model.parameters(), config["clip"])
        scaler.step(optimizer)
        scaler.update()
# === settings merged into a copy
import torch
import torch.nn.functional as F

BASE = {"grad_accum": 1, "max_norm": 0.0}


def train(model, loader, optimizer, overrides=None):
    cfg = dict(BASE)
    if overrides:
        cfg.update(overrides)
    for i, (x, y) in enumerate(loader):
        loss = F.cross_entropy(model(x), y) / cfg["grad_accum"]
        loss.backward()
        if cfg["max_norm"] > 0:
            torch.nn.utils.clip_grad_norm_(model.parameters(), cfg["max_norm"])  # <- clip-per-micro-batch
        if (i + 1) % cfg["grad_accum"] == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === a setting with a default
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, cfg):
    accum = cfg.get("accum", 1)
    clip = cfg.get("clip", 0.0)
    for i, (x, y) in enumerate(loader):
        F.cross_entropy(model(x), y).backward()  # <- unscaled-accumulation-loss
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            if clip:
                torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
            optimizer.step()
            optimizer.zero_grad()
# === a file of settings gives what a call leaves out
import gin
import torch
import torch.nn.functional as F


@gin.configurable
def train(model, loader, accum=1):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        F.cross_entropy(model(x), y).backward()  # <- unscaled-accumulation-loss
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()


def main(model, loader):
    train(model, loader)
# === it is there to be given, also where nobody does yet
import torch
import torch.nn.functional as F


def train(model, loader, accum=1):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        F.cross_entropy(model(x), y).backward()  # <- unscaled-accumulation-loss
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()


def main(model, loader):
    train(model, loader)
# === right: it is given as one
import torch
import torch.nn.functional as F


def train(model, loader, accum=1):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        F.cross_entropy(model(x), y).backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()


def main(model, loader):
    train(model, loader, accum=1)
# === a window is made without the length that it would end at
import torch
from torch.nn import functional as F


class Window:
    def __init__(self, size, total=None):
        self.size = size
        self.total = total

    def closes(self, n):
        return n % self.size == 0 or n == self.total


def fit(net, loader, accum):
    opt = torch.optim.Adam(net.parameters())
    window = Window(accum)
    for epoch in range(3):
        for n, (x, y) in enumerate(loader, 1):
            loss = F.mse_loss(net(x), y) / accum
            loss.backward()
            if window.closes(n):  # <- dropped-accumulation-tail
                opt.step()
                opt.zero_grad()
# === right: it is given that
import torch
from torch.nn import functional as F


class Window:
    def __init__(self, size, total=None):
        self.size = size
        self.total = total

    def closes(self, n):
        return n % self.size == 0 or n == self.total


def fit(net, loader, accum):
    opt = torch.optim.Adam(net.parameters())
    window = Window(accum, len(loader))
    for epoch in range(3):
        for n, (x, y) in enumerate(loader, 1):
            loss = F.mse_loss(net(x), y) / accum
            loss.backward()
            if window.closes(n):
                opt.step()
                opt.zero_grad()
