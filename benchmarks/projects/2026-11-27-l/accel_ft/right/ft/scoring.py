import math

import torch

from .objectives import next_token_loss


def perplexity(model, loader, cfg):
    model.eval()
    total = 0.0
    with torch.no_grad():
        for batch in loader:
            total += next_token_loss(model, batch, cfg).item()
    return math.exp(total / len(loader))
