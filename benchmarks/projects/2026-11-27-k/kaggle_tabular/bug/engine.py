import torch

from config import *
from losses import accum_loss, bce


def train_fn(loader, model, optimizer):
    running = 0.0
    for step, (x, y) in enumerate(loader):
        loss, raw = accum_loss(model(x), y)
        loss.backward()
        running += raw
        if (step + 1) % GRAD_ACCUM == 0:
            optimizer.step()
            optimizer.zero_grad()
    return running / len(loader)


def valid_fn(loader, model):
    model.eval()
    total, hits = 0.0, 0
    with torch.no_grad():
        for x, y in loader:
            out = model(x).view(-1)
            total += bce(out, y).item()
            hits += ((out > 0).float() == y).sum().item()
    return total / len(loader), hits / len(loader.dataset)
