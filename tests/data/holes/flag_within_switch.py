# === a flag chooses bfloat16 where the switch of the scaler is on
import torch


def pass_batch(args, model, batch, scaler):
    if args.fp16:
        with torch.autocast("cuda", dtype=torch.bfloat16 if getattr(args, "in_bf16", False) else torch.float16):
            loss = model(**batch).loss
        scaler.scale(loss).backward()  # <- scaler-with-bfloat16
    else:
        loss = model(**batch).loss
        loss.backward()


def train(args, model, loader):
    optimizer = torch.optim.AdamW(model.parameters())
    scaler = None
    if args.fp16:
        scaler = torch.amp.GradScaler("cuda")
    for batch in loader:
        optimizer.zero_grad()
        pass_batch(args, model, batch, scaler)
        if args.fp16:
            scaler.step(optimizer)
            scaler.update()
        else:
            optimizer.step()


# === a flag chooses bfloat16 for an autocast with the switch of the scaler
import torch


class Run:
    def __init__(self, model, mixed_precision, bf16):
        self.model, self.mixed_precision = model, mixed_precision
        self.kind = torch.bfloat16 if bf16 else torch.float16
        self.optimizer = torch.optim.AdamW(model.parameters())
        self.scaler = torch.amp.GradScaler("cuda", enabled=self.mixed_precision)

    def epoch(self, loader, criterion):
        for x, y in loader:
            self.optimizer.zero_grad()
            with torch.autocast("cuda", enabled=self.mixed_precision, dtype=self.kind):
                loss = criterion(self.model(x), y)
            self.scaler.scale(loss).backward()  # <- scaler-with-bfloat16
            self.scaler.step(self.optimizer)
            self.scaler.update()


# === a choice makes the scaler under the switch that is around the choice of a type
import torch


def train(cfg, model, criterion, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cuda") if cfg.amp else None
    for x, y in loader:
        optimizer.zero_grad()
        if cfg.amp:
            with torch.autocast("cuda", dtype=torch.bfloat16 if cfg.bf16 else torch.float16):
                loss = criterion(model(x), y)
            scaler.scale(loss).backward()  # <- scaler-with-bfloat16
            scaler.step(optimizer)
            scaler.update()
        else:
            criterion(model(x), y).backward()
            optimizer.step()


# === right: the scaler has a switch of its own beside that of autocast
import torch


def train(cfg, model, criterion, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cuda", enabled=cfg.fp16)
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", enabled=cfg.amp, dtype=torch.bfloat16 if cfg.bf16 else torch.float16):
            loss = criterion(model(x), y)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()


# === right: the flag keeps the scaler from being made
import torch


def train(cfg, model, criterion, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = None
    if cfg.amp and not cfg.bf16:
        scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        optimizer.zero_grad()
        if cfg.amp:
            with torch.autocast("cuda", dtype=torch.bfloat16 if cfg.bf16 else torch.float16):
                loss = criterion(model(x), y)
        else:
            loss = criterion(model(x), y)
        if scaler is not None:
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
        else:
            loss.backward()
            optimizer.step()


# === right: a guard within the switch makes the scaler
import torch


def train(cfg, model, criterion, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = None
    if cfg.amp:
        kind = torch.bfloat16 if cfg.bf16 else torch.float16
        if kind == torch.float16:
            scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        optimizer.zero_grad()
        if cfg.amp:
            with torch.autocast("cuda", dtype=torch.bfloat16 if cfg.bf16 else torch.float16):
                loss = criterion(model(x), y)
        else:
            loss = criterion(model(x), y)
        if scaler is not None:
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
        else:
            loss.backward()
            optimizer.step()


# === right: within the switch a helper says whether the scaler is on
import torch

from project import wants_scaler


def train(cfg, model, criterion, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = None
    if cfg.amp:
        scaler = torch.amp.GradScaler("cuda", enabled=wants_scaler(cfg))
    for x, y in loader:
        optimizer.zero_grad()
        if cfg.amp:
            with torch.autocast("cuda", dtype=torch.bfloat16 if cfg.bf16 else torch.float16):
                loss = criterion(model(x), y)
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
        else:
            criterion(model(x), y).backward()
            optimizer.step()


# === right: the switch is on for float16 only, and the flag is asked before
import torch


def train(cfg, model, criterion, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cuda", enabled=cfg.fp16 and not cfg.bf16)
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", enabled=cfg.fp16, dtype=torch.bfloat16 if cfg.bf16 else torch.float16):
            loss = criterion(model(x), y)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()


# === right: another switch is asked before the loss is scaled
import torch


def train(cfg, model, criterion, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cuda") if cfg.amp else None
    for x, y in loader:
        optimizer.zero_grad()
        if cfg.amp:
            with torch.autocast("cuda", dtype=torch.bfloat16 if cfg.bf16 else torch.float16):
                loss = criterion(model(x), y)
        else:
            loss = criterion(model(x), y)
        if cfg.fp16:
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
        else:
            loss.backward()
            optimizer.step()
