# === continue on a bad norm leaves the update out
import torch
import torch.nn.functional as F


def train(model, loader, optimizer):
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda"):
            loss = F.cross_entropy(model(x), y)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        if not torch.isfinite(norm):
            print("skipped")
            continue
        scaler.step(optimizer)  # <- missing-scaler-update
        scaler.update()
# === step and update under one guard on the norm
import math

import torch
import torch.nn.functional as F


def train(model, loader, optimizer):
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda"):
            loss = F.cross_entropy(model(x), y)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        norm = float(torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0))
        if math.isfinite(norm):
            scaler.step(optimizer)  # <- missing-scaler-update
            scaler.update()
# === a large norm is skipped, by a number
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, most):
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        optimizer.zero_grad()
        scaler.scale(F.cross_entropy(model(x), y)).backward()
        scaler.unscale_(optimizer)
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        if norm > most:
            continue
        scaler.step(optimizer)  # <- missing-scaler-update
        scaler.update()
# === return from the step's method
import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.AdamW(model.parameters())
        self.scaler = torch.amp.GradScaler("cuda")

    def update(self):
        self.scaler.unscale_(self.optimizer)
        norm = torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        if torch.isnan(norm) or torch.isinf(norm):
            self.optimizer.zero_grad()
            return False
        self.scaler.step(self.optimizer)  # <- missing-scaler-update
        self.scaler.update()
        return True

    def fit(self, loader):
        for x, y in loader:
            self.optimizer.zero_grad()
            with torch.autocast("cuda"):
                loss = F.cross_entropy(self.model(x), y)
            self.scaler.scale(loss).backward()
            self.update()
# === in a window, the bad window is dropped
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, scaler, accum):
    for i, (x, y) in enumerate(loader):
        with torch.autocast("cuda"):
            loss = F.cross_entropy(model(x), y) / accum
        scaler.scale(loss).backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            scaler.unscale_(optimizer)
            norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            if not torch.isfinite(norm):
                optimizer.zero_grad()
                continue
            scaler.step(optimizer)  # <- missing-scaler-update
            scaler.update()
            optimizer.zero_grad()
# === step and update under a limit for the norm
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, limit):
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        optimizer.zero_grad()
        scaler.scale(F.cross_entropy(model(x), y)).backward()
        scaler.unscale_(optimizer)
        grad_norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        if grad_norm < limit:
            scaler.step(optimizer)  # <- missing-scaler-update
            scaler.update()
# === right: step under a limit for the norm
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, limit):
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        optimizer.zero_grad()
        scaler.scale(F.cross_entropy(model(x), y)).backward()
        scaler.unscale_(optimizer)
        grad_norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        if grad_norm < limit:
            scaler.step(optimizer)
        scaler.update()
# === right: the update is made on the way out
import torch
import torch.nn.functional as F


def train(model, loader, optimizer):
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda"):
            loss = F.cross_entropy(model(x), y)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        if not torch.isfinite(norm):
            scaler.update()
            continue
        scaler.step(optimizer)
        scaler.update()
# === right: only the step is skipped
import math

import torch
import torch.nn.functional as F


def train(model, loader, optimizer):
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda"):
            loss = F.cross_entropy(model(x), y)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        norm = float(torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0))
        if math.isfinite(norm):
            scaler.step(optimizer)
        scaler.update()
# === right: a bad loss is skipped before the backward
import torch
import torch.nn.functional as F


def train(model, loader, optimizer):
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda"):
            loss = F.cross_entropy(model(x), y)
        if not torch.isfinite(loss):
            continue
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
# === right: training ends
import torch
import torch.nn.functional as F


def train(model, loader, optimizer):
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda"):
            loss = F.cross_entropy(model(x), y)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        if torch.isnan(norm):
            break
        scaler.step(optimizer)
        scaler.update()
# === right: without unscale_
import torch
import torch.nn.functional as F


def train(model, loader, optimizer):
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda"):
            loss = F.cross_entropy(model(x), y)
        scaler.scale(loss).backward()
        if not torch.isfinite(loss):
            continue
        scaler.step(optimizer)
        scaler.update()
# === right: without a scaler
import torch
import torch.nn.functional as F


def train(model, loader, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        if not torch.isfinite(norm):
            continue
        optimizer.step()
# === a large loss is skipped behind unscale_
import torch
import torch.nn.functional as F


def train(model, loader, optimizer):
    scaler = torch.cuda.amp.GradScaler()
    for x, y in loader:
        optimizer.zero_grad()
        with torch.cuda.amp.autocast():
            loss = F.cross_entropy(model(x), y)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        if loss.item() > 100:
            continue
        scaler.step(optimizer)  # <- missing-scaler-update
        scaler.update()
# === many ways out of helpers come before the one on the norm
import torch
import torch.nn.functional as F


def reward(texts):
    rewards = []
    for text in texts:
        words = text.split()
        if len(words) < 2:
            rewards.append(0.0)
            continue
        if len(words[0]) < 3:
            rewards.append(0.0)
            continue
        if len(words[1]) > 9:
            rewards.append(0.5)
            continue
        rewards.append(1.0)
    return rewards


def train(model, loader, optimizer):
    scaler = torch.amp.GradScaler("cuda")
    for texts, x, y in loader:
        weights = torch.tensor(reward(texts))
        optimizer.zero_grad()
        loss = (F.cross_entropy(model(x), y, reduction="none") * weights).mean()
        if not torch.isfinite(loss):
            continue
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        if not torch.isfinite(norm):
            optimizer.zero_grad()
            continue
        scaler.step(optimizer)  # <- missing-scaler-update
        scaler.update()
# === right: many ways out of helpers, and the update is made on the one on the norm
import torch
import torch.nn.functional as F


def reward(texts):
    rewards = []
    for text in texts:
        words = text.split()
        if len(words) < 2:
            rewards.append(0.0)
            continue
        if len(words[0]) < 3:
            rewards.append(0.0)
            continue
        if len(words[1]) > 9:
            rewards.append(0.5)
            continue
        rewards.append(1.0)
    return rewards


def train(model, loader, optimizer):
    scaler = torch.amp.GradScaler("cuda")
    for texts, x, y in loader:
        weights = torch.tensor(reward(texts))
        optimizer.zero_grad()
        loss = (F.cross_entropy(model(x), y, reduction="none") * weights).mean()
        if not torch.isfinite(loss):
            continue
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        if not torch.isfinite(norm):
            scaler.update()
            continue
        scaler.step(optimizer)
        scaler.update()
# === right: many ways out, and the step has its update before the last of them
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, log):
    scaler = torch.amp.GradScaler("cuda")
    for texts, x, y in loader:
        if len(texts) < 2:
            continue
        if len(texts[0]) < 3:
            continue
        if texts[0].startswith("#"):
            continue
        if not torch.isfinite(x).all():
            continue
        optimizer.zero_grad()
        scaler.scale(F.cross_entropy(model(x), y)).backward()
        scaler.unscale_(optimizer)
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
        if not torch.isfinite(norm):
            continue
        log(norm)
# === right: an error ends the training, in a function that each iteration calls
import torch


def train(args, model):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    scaler = torch.amp.GradScaler("cuda")

    def update():
        optimizer.zero_grad()
        scaler.scale(model(args.x).mean()).backward()
        scaler.unscale_(optimizer)
        finite = all(bool(torch.isfinite(p.grad).all().item()) for p in model.parameters())
        if not finite:
            raise SystemExit("not finite")
        scaler.step(optimizer)
        scaler.update()

    for _ in range(args.iterations):
        update()
# === the same function goes back to its loop
import torch


def train(args, model):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    scaler = torch.amp.GradScaler("cuda")

    def update():
        optimizer.zero_grad()
        scaler.scale(model(args.x).mean()).backward()
        scaler.unscale_(optimizer)
        finite = all(bool(torch.isfinite(p.grad).all().item()) for p in model.parameters())
        if not finite:
            return
        scaler.step(optimizer)  # <- missing-scaler-update
        scaler.update()

    for _ in range(args.iterations):
        update()
# === an error that the loop handles
import torch


def train(args, model):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    scaler = torch.amp.GradScaler("cuda")

    def update():
        optimizer.zero_grad()
        scaler.scale(model(args.x).mean()).backward()
        scaler.unscale_(optimizer)
        finite = all(bool(torch.isfinite(p.grad).all().item()) for p in model.parameters())
        if not finite:
            raise FloatingPointError("not finite")
        scaler.step(optimizer)  # <- missing-scaler-update
        scaler.update()

    for _ in range(args.iterations):
        try:
            update()
        except FloatingPointError:
            print("skipped")
# === right: the whole training is ended by hand
import torch


def train(args, model):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    scaler = torch.amp.GradScaler("cuda")

    def update():
        optimizer.zero_grad()
        scaler.scale(model(args.x).mean()).backward()
        scaler.unscale_(optimizer)
        finite = all(bool(torch.isfinite(p.grad).all().item()) for p in model.parameters())
        if not finite:
            raise FloatingPointError("not finite")
        scaler.step(optimizer)
        scaler.update()

    try:
        for _ in range(args.iterations):
            update()
    except KeyboardInterrupt:
        print("ended")
