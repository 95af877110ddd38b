# === settings asked for by a path
import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP


def _require(cfg, path):
    cur = cfg
    for part in path.split("."):
        if not hasattr(cur, part):
            raise KeyError(path)
        cur = getattr(cur, part)
    return cur


def build_optimizer(cfg, model):
    if str(_require(cfg, "optim.name")).lower() != "adamw":
        raise ValueError(cfg.optim.name)
    return torch.optim.AdamW(model.parameters(), lr=float(_require(cfg, "optim.lr")))


def main(cfg, loader):
    if str(_require(cfg, "data.kind")).lower() != "tokens":
        raise ValueError("tokens only")
    model = torch.nn.Linear(2, 2)
    if cfg.distributed:
        model = DDP(model)
    opt = build_optimizer(cfg, model)
    accum = int(getattr(cfg, "grad_accum", 1))
    count = 0
    for x, y in loader:
        loss = F.cross_entropy(model(x), y) / accum
        loss.backward()  # <- missing-no-sync
        count += 1
        if count == accum:
            opt.step()
            opt.zero_grad()
            count = 0
# === right: settings asked for by a path
import contextlib

import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP


def _require(cfg, path):
    cur = cfg
    for part in path.split("."):
        if not hasattr(cur, part):
            raise KeyError(path)
        cur = getattr(cur, part)
    return cur


def build_optimizer(cfg, model):
    if str(_require(cfg, "optim.name")).lower() != "adamw":
        raise ValueError(cfg.optim.name)
    return torch.optim.AdamW(model.parameters(), lr=float(_require(cfg, "optim.lr")))


def main(cfg, loader):
    if str(_require(cfg, "data.kind")).lower() != "tokens":
        raise ValueError("tokens only")
    model = torch.nn.Linear(2, 2)
    if cfg.distributed:
        model = DDP(model)
    opt = build_optimizer(cfg, model)
    accum = int(getattr(cfg, "grad_accum", 1))
    count = 0
    for x, y in loader:
        count += 1
        with model.no_sync() if cfg.distributed and count < accum else contextlib.nullcontext():
            loss = F.cross_entropy(model(x), y) / accum
            loss.backward()
        if count == accum:
            opt.step()
            opt.zero_grad()
            count = 0
# === right: settings by a path that nobody sees may all differ
import torch
import torch.nn.functional as F


def _get(cfg, keys):
    for key in keys:
        cfg = getattr(cfg, key)
    return cfg


def train(cfg, model, loader, paths):
    if str(_get(cfg, paths.kind)).lower() != "tokens":
        raise ValueError("tokens only")
    if str(_get(cfg, paths.optimizer)).lower() == "adamw":
        opt = torch.optim.AdamW(model.parameters())
    else:
        opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        opt.step()
        opt.zero_grad()
# === a word of the settings taken apart
import torch
import torch.nn.functional as F


def train(model, loader, accum, name="adamw,amsgrad"):
    kind, *rest = name.lower().split(",")
    if kind == "adamw":
        opt = torch.optim.AdamW(model.parameters(), amsgrad="amsgrad" in rest)
    else:
        raise ValueError(name)
    for i, (x, y) in enumerate(loader):
        F.cross_entropy(model(x), y).backward()  # <- unscaled-accumulation-loss
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            opt.step()
            opt.zero_grad()
