# === switched off without cuda, clip scaled
import torch
import torch.nn.functional as F

fp16 = True
if not torch.cuda.is_available():
    fp16 = False


def train(model, loader, optimizer):
    scaler = torch.cuda.amp.GradScaler(enabled=fp16)
    for x, y in loader:
        optimizer.zero_grad()
        with torch.cuda.amp.autocast(enabled=fp16):
            loss = F.cross_entropy(model(x), y)
        scaler.scale(loss).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # <- clip-scaled-gradients
        scaler.step(optimizer)
        scaler.update()
# === switched off on a TPU, in the function, two branches
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, device):
    use_amp = True
    if device.type == "xla":
        use_amp = False
    scaler = torch.amp.GradScaler() if use_amp else None
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast(device.type, enabled=use_amp):
            loss = F.cross_entropy(model(x), y)
        if use_amp:
            scaler.scale(loss).backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # <- clip-scaled-gradients
            scaler.step(optimizer)
            scaler.update()
        else:
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
# === flag of the class, off on the CPU, missing update
import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, device="cuda"):
        self.model = model
        self.fp16 = True
        if device == "cpu":
            self.fp16 = False
        self.optimizer = torch.optim.AdamW(model.parameters())
        self.scaler = torch.amp.GradScaler(enabled=self.fp16)

    def fit(self, loader):
        for x, y in loader:
            self.optimizer.zero_grad()
            with torch.autocast("cuda", enabled=self.fp16):
                loss = F.cross_entropy(self.model(x), y)
            self.scaler.scale(loss).backward()
            self.scaler.step(self.optimizer)  # <- missing-scaler-update
# === distributed is switched on, then off for one process
import os

import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP


def main(model, loader, accum):
    distributed = True
    if int(os.environ.get("WORLD_SIZE", 1)) == 1:
        distributed = False
    if distributed:
        model = DDP(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        (F.mse_loss(model(x), y) / accum).backward()  # <- missing-no-sync
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === switched on for cuda, from off
import torch
import torch.nn.functional as F

amp = False
if torch.cuda.is_available():
    amp = True
scaler = torch.amp.GradScaler("cuda", enabled=amp)


def train(model, loader, optimizer, accum):
    for i, (x, y) in enumerate(loader):
        with torch.autocast("cuda", enabled=amp):
            loss = F.cross_entropy(model(x), y) / accum
        scaler.scale(loss).backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # <- clip-scaled-gradients
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()
# === right: both ways sound
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, device):
    use_amp = True
    if device.type == "xla":
        use_amp = False
    scaler = torch.amp.GradScaler() if use_amp else None
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast(device.type, enabled=use_amp):
            loss = F.cross_entropy(model(x), y)
        if use_amp:
            scaler.scale(loss).backward()
            scaler.unscale_(optimizer)
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            scaler.step(optimizer)
            scaler.update()
        else:
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
# === right: guarded by the same flag
import torch
import torch.nn.functional as F

fp16 = True
if not torch.cuda.is_available():
    fp16 = False


def train(model, loader, optimizer):
    scaler = torch.cuda.amp.GradScaler(enabled=fp16)
    for x, y in loader:
        optimizer.zero_grad()
        with torch.cuda.amp.autocast(enabled=fp16):
            loss = F.cross_entropy(model(x), y)
        if fp16:
            scaler.scale(loss).backward()
            scaler.unscale_(optimizer)
        else:
            loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
# === right: a window that is set to one where it does not fit
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, accum=4):
    if len(loader) < accum:
        accum = 1
    for i, (x, y) in enumerate(loader):
        (F.mse_loss(model(x), y) / accum).backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === a flag of the arguments is switched off without cuda
import argparse

import torch
import torch.nn.functional as F


def main(model, loader):
    parser = argparse.ArgumentParser()
    parser.add_argument("--fp16", action="store_true")
    args = parser.parse_args()
    if not torch.cuda.is_available():
        args.fp16 = False
    optimizer = torch.optim.AdamW(model.parameters())
    scaler = torch.amp.GradScaler("cuda", enabled=args.fp16)
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", enabled=args.fp16):
            loss = F.cross_entropy(model(x), y)
        scaler.scale(loss).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # <- clip-scaled-gradients
        scaler.step(optimizer)
        scaler.update()
# === switched off twice
import torch
import torch.nn.functional as F


def main(model, loader, device, debug):
    fp16 = True
    if device.type == "cpu":
        fp16 = False
    elif device.type == "xla":
        fp16 = False
    if debug:
        fp16 = False
    optimizer = torch.optim.AdamW(model.parameters())
    scaler = torch.amp.GradScaler(enabled=fp16)
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast(device.type, enabled=fp16):
            loss = F.cross_entropy(model(x), y)
        scaler.scale(loss).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # <- clip-scaled-gradients
        scaler.step(optimizer)
        scaler.update()
# === a window that debugging sets to one
import torch
import torch.nn.functional as F


def main(model, loader, debug):
    n = 8
    if debug:
        n = 1
    optimizer = torch.optim.AdamW(model.parameters())
    for i, (x, y) in enumerate(loader):
        F.cross_entropy(model(x), y).backward()  # <- unscaled-accumulation-loss
        if (i + 1) % n == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === a limit that an option takes away
import torch
import torch.nn.functional as F


def main(model, loader, no_clip):
    limit = 1.0
    if no_clip:
        limit = 0.0
    optimizer = torch.optim.AdamW(model.parameters())
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
        if limit > 0:
            torch.nn.utils.clip_grad_norm_(model.parameters(), limit)  # <- clip-after-step
# === right: a window that debugging sets to one
import torch
import torch.nn.functional as F


def main(model, loader, debug):
    n = 8
    if debug:
        n = 1
    optimizer = torch.optim.AdamW(model.parameters())
    for i, (x, y) in enumerate(loader):
        (F.cross_entropy(model(x), y) / n).backward()
        if (i + 1) % n == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === right: switched off twice, unscaled under the same flag
import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, device, debug):
        self.model, self.device = model, device
        self.fp16 = True
        if device.type == "cpu" or debug:
            self.fp16 = False
        self.optimizer = torch.optim.AdamW(model.parameters())
        self.scaler = torch.amp.GradScaler() if self.fp16 else None

    def fit(self, loader):
        for x, y in loader:
            self.optimizer.zero_grad()
            with torch.autocast(self.device.type, enabled=self.fp16):
                loss = F.cross_entropy(self.model(x), y)
            if self.fp16:
                self.scaler.scale(loss).backward()
                self.scaler.unscale_(self.optimizer)
            else:
                loss.backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            if self.scaler is not None:
                self.scaler.step(self.optimizer)
                self.scaler.update()
            else:
                self.optimizer.step()
# === a flag by a conditional expression
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, args):
    use_fp16 = args.fp16 if torch.cuda.is_available() else False
    scaler = torch.amp.GradScaler("cuda", enabled=use_fp16)
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", enabled=use_fp16):
            loss = F.cross_entropy(model(x), y)
        scaler.scale(loss).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), args.clip)  # <- clip-scaled-gradients
        scaler.step(optimizer)
        scaler.update()
# === a flag that guards set where a window is longer than one
import torch
from torch import nn


class Trainer:
    def __init__(self, args, model, loader):
        self.args = args
        self.model = model
        self.loader = loader
        self.optim = torch.optim.Adam(model.parameters())

    def train(self):
        for epoch in range(self.args.epochs):
            for step_i, batch in enumerate(self.loader):
                loss = self.model.train_step(batch)["loss"]
                loss.backward()  # <- unscaled-accumulation-loss
                if self.args.clip > 0:
                    nn.utils.clip_grad_norm_(self.model.parameters(), self.args.clip)  # <- clip-per-micro-batch
                update = True
                if self.args.gradient_accumulation_steps > 1:
                    if step_i == 0:
                        update = False
                    elif step_i % self.args.gradient_accumulation_steps == 0 or step_i == len(self.loader) - 1:
                        update = True
                    else:
                        update = False
                if update:  # <- accumulation-off-by-one
                    self.optim.step()
                    self.optim.zero_grad()
# === the same flag, counted from one
import torch
from torch import nn


class Trainer:
    def __init__(self, args, model, loader):
        self.args = args
        self.model = model
        self.loader = loader
        self.optim = torch.optim.Adam(model.parameters())

    def train(self):
        for epoch in range(self.args.epochs):
            for step_i, batch in enumerate(self.loader):
                loss = self.model.train_step(batch)["loss"]
                if self.args.gradient_accumulation_steps > 1:
                    loss = loss / self.args.gradient_accumulation_steps
                loss.backward()
                update = True
                if self.args.gradient_accumulation_steps > 1:
                    if (step_i + 1) % self.args.gradient_accumulation_steps == 0 or step_i == len(self.loader) - 1:
                        update = True
                    else:
                        update = False
                if update:
                    nn.utils.clip_grad_norm_(self.model.parameters(), self.args.clip)
                    self.optim.step()
                    self.optim.zero_grad()
