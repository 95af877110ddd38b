import torch
from torch.nn import functional as F


def train_one_epoch(model, loader, optimizer, accumulate):
    model.train()
    optimizer.zero_grad()
    total = torch.zeros(())
    for i, (x, y) in enumerate(loader):
        last = (i + 1) % accumulate == 0 or i + 1 == len(loader)
        loss = F.cross_entropy(model(x), y)
        (loss / accumulate).backward()
        total += loss.detach()
        if last:
            optimizer.step()
            optimizer.zero_grad()
    return total.item() / len(loader)
