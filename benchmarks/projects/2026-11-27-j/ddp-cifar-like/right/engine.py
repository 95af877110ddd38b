from contextlib import nullcontext

import torch
import torch.nn.functional as F


def train_one_epoch(model, loader, optimizer, accum_iter):
    model.train()
    total = 0.0
    optimizer.zero_grad()
    for it, (x, y) in enumerate(loader):
        boundary = (it + 1) % accum_iter == 0 or it + 1 == len(loader)
        with nullcontext() if boundary else model.no_sync():
            loss = F.cross_entropy(model(x), y)
            (loss / accum_iter).backward()
        if boundary:
            optimizer.step()
            optimizer.zero_grad()
        total += loss.item()
    return total / len(loader)


@torch.no_grad()
def test(model, loader):
    model.eval()
    right = sum((model(x).argmax(1) == y).sum().item() for x, y in loader)
    return right / len(loader.dataset)
