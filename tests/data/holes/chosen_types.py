# === a table of types that need no scaler
import torch

TYPES = {"bf16": torch.bfloat16, "fp32": torch.float32}


def train(args, model, criterion, loader):
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=TYPES[args.precision]):
            loss = criterion(model(x), y)
        scaler.scale(loss).backward()  # <- scaler-with-bfloat16
        scaler.step(optimizer)
        scaler.update()


# === a table of types of which one needs a scaler
import torch

TYPES = {"bf16": torch.bfloat16, "fp16": torch.float16}


def train(args, model, criterion, loader):
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=TYPES[args.precision]):
            loss = criterion(model(x), y)
        scaler.scale(loss).backward()  # <- scaler-with-bfloat16
        scaler.step(optimizer)
        scaler.update()


# === a scaler that is switched on for one type only
import torch

TYPES = {"bf16": torch.bfloat16, "fp32": torch.float32}


def train(args, model, criterion, loader):
    dtype = TYPES[args.precision]
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    scaler = torch.amp.GradScaler("cuda", enabled=dtype == torch.float16)
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=dtype):
            loss = criterion(model(x), y)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()


# === a context that a helper chooses, with the backward in it
import contextlib

import torch


def precision(args):
    if not args.amp:
        return contextlib.nullcontext()
    return torch.autocast("cuda", dtype=torch.bfloat16)


def train(args, model, criterion, loader):
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    for x, y in loader:
        with precision(args):
            loss = criterion(model(x), y)
            loss.backward()  # <- backward-in-autocast
        optimizer.step()
        optimizer.zero_grad()


# === a context that a method chooses, with the backward in it
import contextlib

import torch


class Run:
    def __init__(self, config, model):
        self.config, self.model = config, model
        self.optimizer = torch.optim.AdamW(model.parameters())

    def context(self):
        if self.config.half:
            return torch.autocast("cuda", dtype=torch.bfloat16)
        else:
            return contextlib.nullcontext()

    def train(self, loader, criterion):
        for x, y in loader:
            with self.context():
                loss = criterion(self.model(x), y)
                loss.backward()  # <- backward-in-autocast
            self.optimizer.step()
            self.optimizer.zero_grad()


# === a context that a helper chooses, with the backward behind it
import contextlib

import torch


def precision(args):
    if args.dtype == "bf16":
        return torch.autocast("cuda", dtype=torch.bfloat16)
    return contextlib.nullcontext()


def train(args, model, criterion, loader):
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    for x, y in loader:
        with precision(args):
            loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
