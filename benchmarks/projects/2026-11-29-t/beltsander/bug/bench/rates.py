import math

from torch.optim.lr_scheduler import CosineAnnealingLR


def updates(batches, window, epochs):
    return epochs * math.ceil(len(batches) / window)


def cosine(optimizer, total_updates):
    return CosineAnnealingLR(optimizer, T_max=total_updates)
