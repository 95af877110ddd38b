# === a flag that is set by a second check skips the step and its update
import torch
from torch.nn.utils import clip_grad_norm_


def main(model, loader, limit):
    optimizer = torch.optim.Adam(model.parameters())
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        with torch.autocast("cuda"):
            loss = model(x, y)
        scaler.scale(loss).backward()
        skip = False
        if torch.isnan(loss) or torch.isinf(loss):
            print("NaN")
            skip = True
        if not skip:
            scaler.unscale_(optimizer)
            norm = clip_grad_norm_(model.parameters(), 1.0).item()
            if norm > limit:
                skip = True
                print("skipped", norm)
            if not skip:
                scaler.step(optimizer)  # <- missing-scaler-update
                scaler.update()
            optimizer.zero_grad()


# === right: a flag that is set by a second check skips the step, not the update
import torch
from torch.nn.utils import clip_grad_norm_


def main(model, loader, limit):
    optimizer = torch.optim.Adam(model.parameters())
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        with torch.autocast("cuda"):
            loss = model(x, y)
        scaler.scale(loss).backward()
        skip = False
        if torch.isnan(loss) or torch.isinf(loss):
            print("NaN")
            skip = True
        if not skip:
            scaler.unscale_(optimizer)
            norm = clip_grad_norm_(model.parameters(), 1.0).item()
            if norm > limit:
                skip = True
                print("skipped", norm)
            if not skip:
                scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()


# === a flag that two checks set leaves the step out, and nothing is cleared
import torch


def main(model, loader, limit, accum):
    optimizer = torch.optim.Adam(model.parameters())
    for i, (x, y) in enumerate(loader):
        loss = model(x, y) / accum
        loss.backward()
        skip = False
        if torch.isnan(loss):
            skip = True
        if measure(model) > limit:
            skip = True
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            if not skip:
                optimizer.step()  # <- missing-zero-grad


# === right: a flag that two checks set leaves the step out
import torch


def main(model, loader, limit, accum):
    optimizer = torch.optim.Adam(model.parameters())
    for i, (x, y) in enumerate(loader):
        loss = model(x, y) / accum
        loss.backward()
        skip = False
        if torch.isnan(loss):
            skip = True
        if measure(model) > limit:
            skip = True
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            if not skip:
                optimizer.step()
            optimizer.zero_grad()
