# === one switch for autocast and scaler, bfloat16
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, cfg):
    scaler = torch.cuda.amp.GradScaler(enabled=cfg.bf16_run)
    for x, y in loader:
        optimizer.zero_grad()
        with torch.cuda.amp.autocast(enabled=cfg.bf16_run, dtype=torch.bfloat16):
            loss = F.cross_entropy(model(x), y)
        scaler.scale(loss).backward()  # <- scaler-with-bfloat16
        scaler.step(optimizer)
        scaler.update()
# === one switch of an object, the scaler made elsewhere in it
import torch
from torch import nn
from torch.amp import GradScaler, autocast


class Trainer:
    def __init__(self, net, opt, half):
        self.net, self.opt, self.half = net, opt, half
        self.criterion = nn.MSELoss()
        self.scaler = GradScaler("cuda", enabled=self.half)

    def loss(self, x, y):
        with autocast("cuda", dtype=torch.bfloat16, enabled=self.half):
            return self.criterion(self.net(x), y)

    def fit(self, loader):
        for x, y in loader:
            self.opt.zero_grad(set_to_none=True)
            self.scaler.scale(self.loss(x, y)).backward()  # <- scaler-with-bfloat16
            self.scaler.unscale_(self.opt)
            nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
            self.scaler.step(self.opt)
            self.scaler.update()
# === one switch, the type by its own name, a loop in another function
from torch import GradScaler, autocast, bfloat16


def epoch(model, loader, optimizer, scaler, args):
    for batch in loader:
        with autocast("cuda", bfloat16, args.fp16):
            loss = model(**batch).loss
        scaler.scale(loss).backward()  # <- scaler-with-bfloat16
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()


def main(model, loader, optimizer, args):
    scaler = GradScaler("cuda", enabled=args.fp16)
    for _ in range(args.epochs):
        epoch(model, loader, optimizer, scaler, args)
# === right: the scaler has a switch of its own beside bfloat16
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, cfg):
    scaler = torch.cuda.amp.GradScaler(enabled=cfg.fp16)
    for x, y in loader:
        optimizer.zero_grad()
        with torch.cuda.amp.autocast(enabled=cfg.bf16, dtype=torch.bfloat16):
            loss = F.cross_entropy(model(x), y)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
# === right: one switch, float16
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, cfg):
    scaler = torch.cuda.amp.GradScaler(enabled=cfg.half)
    for x, y in loader:
        optimizer.zero_grad()
        with torch.cuda.amp.autocast(enabled=cfg.half, dtype=torch.float16):
            loss = F.cross_entropy(model(x), y)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
# === right: one switch that is on for float16 only, the type beside it
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, precision):
    half = precision == "fp16"
    dtype = torch.bfloat16 if precision == "bf16" else torch.float16
    scaler = torch.amp.GradScaler("cuda", enabled=half)
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", enabled=half, dtype=dtype):
            loss = F.cross_entropy(model(x), y)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
# === right: the other way round
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, cfg):
    scaler = torch.cuda.amp.GradScaler(enabled=not cfg.bf16)
    for x, y in loader:
        optimizer.zero_grad()
        with torch.cuda.amp.autocast(enabled=cfg.bf16, dtype=torch.bfloat16):
            loss = F.cross_entropy(model(x), y)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
# === one switch for both, named after precision, the type chosen beside it
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, cfg):
    dtype = torch.bfloat16 if cfg.dtype == "bf16" else torch.float16
    scaler = torch.amp.GradScaler("cuda", enabled=cfg.mixed_precision)
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", enabled=cfg.mixed_precision, dtype=dtype):
            loss = F.cross_entropy(model(x), y)
        scaler.scale(loss).backward()  # <- scaler-with-bfloat16
        scaler.step(optimizer)
        scaler.update()
# === a flag named after precision is raised for both types
import torch
import torch.nn.functional as F

TYPES = {"fp16": torch.float16, "bf16": torch.bfloat16, "fp32": torch.float32}


class Learner:
    def __init__(self, net, precision="fp32"):
        self.net = net
        self.mixed_precision = False
        if precision in ["fp16", "float16"]:
            self.kind = TYPES["fp16"]
            self.mixed_precision = True
        elif precision in ["bf16", "bfloat16"]:
            self.kind = TYPES["bf16"]
            self.mixed_precision = True
        else:
            self.kind = TYPES["fp32"]
        self.scaler = torch.cuda.amp.GradScaler(enabled=self.mixed_precision)

    def fit(self, optimizer, loader):
        for x, y in loader:
            with torch.autocast("cuda", enabled=self.mixed_precision, dtype=self.kind):
                loss = F.cross_entropy(self.net(x), y)
            self.scaler.scale(loss).backward()  # <- scaler-with-bfloat16
            self.scaler.step(optimizer)
            self.scaler.update()
            optimizer.zero_grad()
# === right: the switch of both is named after float16
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, cfg):
    dtype = torch.bfloat16 if cfg.dtype == "bf16" else torch.float16
    scaler = torch.amp.GradScaler("cuda", enabled=cfg.use_fp16)
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", enabled=cfg.use_fp16, dtype=dtype):
            loss = F.cross_entropy(model(x), y)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
# === right: the scaler has a switch of its own beside the type that was chosen
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, cfg):
    dtype = torch.bfloat16 if cfg.dtype == "bf16" else torch.float16
    scaler = torch.amp.GradScaler("cuda", enabled=cfg.scaled_precision)
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", enabled=cfg.mixed_precision, dtype=dtype):
            loss = F.cross_entropy(model(x), y)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
