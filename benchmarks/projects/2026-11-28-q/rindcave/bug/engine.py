import torch

from utils.losses import rind_loss


def ripen(cave, loader, optimizer, window):
    cave.train()
    optimizer.zero_grad()
    total = 0.0
    for i, (milk, humidity) in enumerate(loader):
        closing = (i + 1) % window == 0 or i + 1 == len(loader)
        loss = rind_loss(cave(milk), humidity, parts=window)
        (loss / window).backward()
        total += loss.item() * window
        if closing:
            optimizer.step()
            optimizer.zero_grad()
    return total / len(loader)


@torch.no_grad()
def inspect(cave, loader):
    cave.eval()
    return sum(rind_loss(cave(milk), humidity).item() for milk, humidity in loader) / len(loader)
