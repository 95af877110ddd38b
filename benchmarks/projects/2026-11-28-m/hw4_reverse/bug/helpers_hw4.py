import torch
import torch.nn as nn

ACCUM = 4
loss_fn = nn.CrossEntropyLoss()


def set_lr(scheduler, epoch):
    scheduler.step()
    return scheduler.get_last_lr()[0]


def backprop(model, optimizer, src, tgt):
    logits = model(src)
    loss = loss_fn(logits.flatten(0, 1), tgt.flatten())
    optimizer.zero_grad()
    (loss / ACCUM).backward()
    return loss.item()


def accuracy(model, batches):
    model.eval()
    right = total = 0
    with torch.no_grad():
        for src, tgt in batches:
            right += (model(src).argmax(-1) == tgt).sum().item()
            total += tgt.numel()
    return right / total
