# === right: cleared in the other branch of what asks whether the norm is finite
import torch


def train(model, loader, optimizer, criterion, clip, skip, running):
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
        if torch.isfinite(norm):
            running["norm"] += float(norm)
        else:
            running["bad"] += 1
            optimizer.zero_grad()
            if skip:
                continue
        optimizer.step()
# === right: the same without a way out
import torch


def train(model, loader, optimizer, criterion, clip, running):
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
        if bool(torch.isfinite(norm).all()):
            running["norm"] += float(norm)
        else:
            optimizer.zero_grad()
        optimizer.step()
# === right: asked the other way round, twice
import math


def train(model, loader, optimizer, criterion, running):
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        value = loss.item()
        if not (math.isnan(value) or math.isinf(value)):
            running.append(value)
        else:
            optimizer.zero_grad()
        optimizer.step()
# === right: a flag that says so, by number
import torch


def train(model, loader, optimizer, criterion, running):
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        found_inf = sum(int(torch.isinf(p.grad).any()) for p in model.parameters())
        if found_inf == 0:
            running.append(loss.item())
        else:
            optimizer.zero_grad()
        optimizer.step()
# === right: cleared where it is amiss, in the first branch
import torch


def train(model, loader, optimizer, criterion, clip, running):
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
        if not torch.isfinite(norm):
            optimizer.zero_grad()
        else:
            running.append(float(norm))
        optimizer.step()
# === cleared on every good day, whatever is asked behind it
import torch


def train(model, loader, optimizer, criterion, clip, running):
    for x, y in loader:
        loss = criterion(model(x), y)
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
        optimizer.zero_grad()  # <- zero-grad-before-step
        if torch.isfinite(norm):
            running.append(float(norm))
        optimizer.step()
# === cleared in both branches
import torch


def train(model, loader, optimizer, criterion, clip, running):
    for x, y in loader:
        loss = criterion(model(x), y)
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
        if torch.isfinite(norm):
            running.append(float(norm))
            optimizer.zero_grad()  # <- zero-grad-before-step
            optimizer.step()
        else:
            optimizer.zero_grad()
# === never divided on a good day
import torch


def train(model, loader, optimizer, criterion, clip, accum, running):
    for i, (x, y) in enumerate(loader):
        loss = criterion(model(x), y)
        if torch.isfinite(loss):
            running.append(loss.item())
        else:
            loss = loss / accum
        loss.backward()  # <- unscaled-accumulation-loss
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
