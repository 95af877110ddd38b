import torch
import torch.nn.functional as F


def tag_loss(model, words, tags):
    return F.cross_entropy(model(words).transpose(1, 2), tags)


def train_one_epoch(model, loader, optimizer, window):
    model.train()
    optimizer.zero_grad()
    total = 0.0
    for i, (words, tags) in enumerate(loader):
        last = (i + 1) % window == 0 or i + 1 == len(loader)
        loss = tag_loss(model, words, tags)
        (loss / window).backward()
        if last:
            optimizer.step()
            optimizer.zero_grad()
        total += loss.item()
    return total / len(loader)


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    scores = [(model(w).argmax(-1) == t).float().mean().item() for w, t in loader]
    return sum(scores) / len(scores)
