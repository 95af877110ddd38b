# === a mean over the tokens that count, never divided by the window
import torch
import torch.nn.functional as F


def train(model, loader, accum):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y, mask) in enumerate(loader):
        logits = model(x).flatten(0, 1)
        each = F.cross_entropy(logits, y.view(-1), reduction="none")
        counted = mask.view(-1)
        loss = torch.sum(each * counted) / counted.sum()
        loss.backward()  # <- unscaled-accumulation-loss
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === a helper makes the mean over what a mask lets through, and nothing divides it
import torch
import torch.nn.functional as F


def mean_where(values, mask):
    mask = mask.float().unsqueeze(-1)
    total = mask.sum().clamp_min(1.0)
    return (values * mask).sum() / total


def train(model, loader, accum):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y, mask) in enumerate(loader):
        loss = mean_where(F.mse_loss(model(x), y, reduction="none"), mask)
        loss.backward()  # <- unscaled-accumulation-loss
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === each answer's mean over its tokens, then that of the answers
import torch
import torch.nn.functional as F


def train(model, loader, accum):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y, mask) in enumerate(loader):
        each = F.cross_entropy(model(x).transpose(1, 2), y, reduction="none")
        loss = ((each * mask).sum(dim=1) / (mask.sum(dim=1) + 1e-8)).mean()
        loss.backward()  # <- unscaled-accumulation-loss
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === right: a mean over the tokens that count, divided by the window
import torch
import torch.nn.functional as F


def train(model, loader, accum):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y, mask) in enumerate(loader):
        logits = model(x).flatten(0, 1)
        each = F.cross_entropy(logits, y.view(-1), reduction="none")
        counted = mask.view(-1)
        loss = torch.sum(each * counted) / counted.sum()
        (loss / accum).backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === right: the number of tokens is multiplied by the window
import torch
import torch.nn.functional as F


def train(model, loader, accum):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y, mask) in enumerate(loader):
        each = F.cross_entropy(model(x).transpose(1, 2), y, reduction="none")
        tokens = mask.sum().clamp(min=1)
        tokens *= accum
        loss = (each * mask).sum() / tokens
        loss.backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === right: the tokens of all micro-batches of the window divide each
import torch
import torch.nn.functional as F


def train(model, windows):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for window in windows:
        x, y, mask = window[0]
        tokens = mask.sum()
        for x, y, mask in window[1:]:
            tokens += mask.sum()
        for x, y, mask in window:
            each = F.cross_entropy(model(x).transpose(1, 2), y, reduction="none")
            ((each * mask).sum() / tokens).backward()
        optimizer.step()
        optimizer.zero_grad()
# === right: pieces of a batch are divided by the tokens of all of it
import torch
import torch.nn.functional as F


def train(model, loader, accum):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y, mask in loader:
        tokens = mask.sum()
        for x_part, y_part, mask_part in zip(x.chunk(accum), y.chunk(accum), mask.chunk(accum)):
            each = F.cross_entropy(model(x_part).transpose(1, 2), y_part, reduction="none")
            ((each * mask_part).sum() / tokens).backward()
        optimizer.step()
        optimizer.zero_grad()
# === right: pieces of a batch take its mask's name, and are divided by the tokens of all of it
import torch
import torch.nn.functional as F


def train(model, loader, accum):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y, mask in loader:
        tokens = mask.sum()
        for x, y, mask in zip(x.chunk(accum), y.chunk(accum), mask.chunk(accum)):
            each = F.cross_entropy(model(x).transpose(1, 2), y, reduction="none")
            ((each * mask).sum() / tokens).backward()
        optimizer.step()
        optimizer.zero_grad()
# === right: the tokens of the window are counted first, all under one name
import torch
import torch.nn.functional as F


def train(model, windows):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for window in windows:
        tokens = sum(mask.sum() for _, _, mask in window)
        for x, y, mask in window:
            each = F.cross_entropy(model(x).transpose(1, 2), y, reduction="none")
            ((each * mask).sum() / tokens).backward()
        optimizer.step()
        optimizer.zero_grad()
