import math

from torch.optim.lr_scheduler import LambdaLR


def cosine(optimizer, epochs, batches, parts):
    """From the full rate to a tenth of it, over all updates."""
    updates = epochs * math.ceil(batches / parts)
    return LambdaLR(optimizer, lambda u: 0.55 + 0.45 * math.cos(math.pi * min(u / updates, 1.0)))
