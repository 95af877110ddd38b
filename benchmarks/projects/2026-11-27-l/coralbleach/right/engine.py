import torch.nn.functional as F

from config import *


def train_one_epoch(model, loader, optimizer):
    model.train()
    running = 0.0
    optimizer.zero_grad()
    for i, (x, y) in enumerate(loader):
        loss = F.cross_entropy(model(x), y)
        running += loss.item()
        (loss / CFG.accum).backward()
        if window_closed(i) or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
    return running / len(loader)
