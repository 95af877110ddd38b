# === window from a settings object of another file, through helpers
import torch
import torch.nn.functional as F

from project.conf import settings as cfg


def train_step(model, batch, accum):
    x, y = batch
    loss = F.cross_entropy(model(x), y) / accum
    loss.backward()


def update_step(optimizer):
    optimizer.step()
    optimizer.zero_grad()


def main(data):
    model = torch.nn.Linear(3, 3)
    optimizer = torch.optim.SGD(model.parameters())
    loader = torch.utils.data.DataLoader(data)
    for epoch in range(cfg.epochs):
        for i, batch in enumerate(loader):
            train_step(model, batch, cfg.accum_steps)
            if i % cfg.accum_steps == 0:  # <- accumulation-off-by-one, dropped-accumulation-tail
                update_step(optimizer)
# === window from a settings object of another file, through helpers, right
import torch
import torch.nn.functional as F

from project.conf import settings as cfg


def train_step(model, batch, accum):
    x, y = batch
    loss = F.cross_entropy(model(x), y) / accum
    loss.backward()


def update_step(optimizer):
    optimizer.step()
    optimizer.zero_grad()


def main(data):
    model = torch.nn.Linear(3, 3)
    optimizer = torch.optim.SGD(model.parameters())
    loader = torch.utils.data.DataLoader(data)
    for epoch in range(cfg.epochs):
        for i, batch in enumerate(loader):
            train_step(model, batch, cfg.accum_steps)
            if (i + 1) % cfg.accum_steps == 0 or i + 1 == len(loader):
                update_step(optimizer)
# === a constant of another file, undivided
import torch
import torch.nn.functional as F

from settings import ACCUM_STEPS, EPOCHS


def main(model, loader):
    optimizer = torch.optim.SGD(model.parameters())
    for epoch in range(EPOCHS):
        for i, (x, y) in enumerate(loader):
            F.cross_entropy(model(x), y).backward()  # <- unscaled-accumulation-loss
            if (i + 1) % ACCUM_STEPS == 0 or i + 1 == len(loader):
                optimizer.step()
                optimizer.zero_grad()
# === a constant of another file, divided
import torch
import torch.nn.functional as F

from settings import ACCUM_STEPS, EPOCHS


def main(model, loader):
    optimizer = torch.optim.SGD(model.parameters())
    for epoch in range(EPOCHS):
        for i, (x, y) in enumerate(loader):
            (F.cross_entropy(model(x), y) / ACCUM_STEPS).backward()
            if (i + 1) % ACCUM_STEPS == 0 or i + 1 == len(loader):
                optimizer.step()
                optimizer.zero_grad()
# === settings of another file in a dictionary, the rest leaks
import torch
import torch.nn.functional as F

import config


def main(model, loader):
    optimizer = torch.optim.SGD(model.parameters())
    for epoch in range(config.train["epochs"]):
        for i, (x, y) in enumerate(loader):
            (F.cross_entropy(model(x), y) / config.train["accum"]).backward()
            if (i + 1) % config.train["accum"] == 0:  # <- dropped-accumulation-tail
                optimizer.step()
                optimizer.zero_grad()
# === settings of another file in a dictionary, the rest is stepped
import torch
import torch.nn.functional as F

import config


def main(model, loader):
    optimizer = torch.optim.SGD(model.parameters())
    for epoch in range(config.train["epochs"]):
        for i, (x, y) in enumerate(loader):
            (F.cross_entropy(model(x), y) / config.train["accum"]).backward()
            if (i + 1) % config.train["accum"] == 0 or i + 1 == len(loader):
                optimizer.step()
                optimizer.zero_grad()
# === a kind of another file that is refused, then the window
import torch
import torch.nn.functional as F

from project.conf import settings as cfg
from project.kinds import Kind


def main(model, loader):
    if cfg.kind != Kind.FULL:
        raise ValueError("only full checkpoints")
    optimizer = torch.optim.SGD(model.parameters())
    for i, (x, y) in enumerate(loader):
        F.cross_entropy(model(x), y).backward()  # <- unscaled-accumulation-loss
        if (i + 1) % cfg.accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === mixed precision switched by a setting of another file, clipped while scaled
import torch
import torch.nn.functional as F

from project.conf import settings as cfg


def main(model, loader):
    optimizer = torch.optim.SGD(model.parameters())
    scaler = torch.amp.GradScaler(enabled=cfg.amp)
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", enabled=cfg.amp):
            loss = F.cross_entropy(model(x), y)
        scaler.scale(loss).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), cfg.clip)  # <- clip-scaled-gradients
        scaler.step(optimizer)
        scaler.update()
# === mixed precision switched by a setting of another file, right
import torch
import torch.nn.functional as F

from project.conf import settings as cfg


def main(model, loader):
    optimizer = torch.optim.SGD(model.parameters())
    scaler = torch.amp.GradScaler(enabled=cfg.amp)
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", enabled=cfg.amp):
            loss = F.cross_entropy(model(x), y)
        if cfg.amp:
            scaler.scale(loss).backward()
            scaler.unscale_(optimizer)
        else:
            loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), cfg.clip)
        if cfg.amp:
            scaler.step(optimizer)
            scaler.update()
        else:
            optimizer.step()
# === the same question around the backward and around the step
import torch
import torch.nn.functional as F


def forward(model, x, y, scaler, accum):
    loss = F.cross_entropy(model(x), y) / accum
    if scaler is not None:
        scaler.scale(loss).backward()
    else:
        loss.backward()


def update(optimizer, scaler):
    if scaler is not None:
        scaler.step(optimizer)
        scaler.update()
    else:
        optimizer.step()
    optimizer.zero_grad()


def main(model, loader, accum, half):
    optimizer = torch.optim.SGD(model.parameters())
    scaler = torch.amp.GradScaler() if half else None
    for i, (x, y) in enumerate(loader):
        forward(model, x, y, scaler, accum)
        if i % accum == 0:  # <- accumulation-off-by-one
            update(optimizer, scaler)
# === a setting of another file that may be missing
import torch
import torch.nn.functional as F

from project.conf import settings as cfg


def main(model, loader):
    optimizer = torch.optim.SGD(model.parameters())
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        if cfg.clip is not None:
            torch.nn.utils.clip_grad_norm_(model.parameters(), cfg.clip)
            optimizer.step()
        else:
            optimizer.step()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # <- clip-after-step
