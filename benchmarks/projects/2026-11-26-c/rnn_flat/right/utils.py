import math
import time

import torch
import torch.nn.functional as F


def forward_backward(model, optimizer, x, y, hidden=None, scale=1.0, fresh=True):
    """Gradients of one chunk of text; returns the loss as a number and the hidden state."""
    model.train()
    if fresh:
        optimizer.zero_grad()
    logits, hidden = model(x, hidden)
    loss = F.cross_entropy(logits.reshape(-1, logits.size(-1)), y.reshape(-1))
    (loss * scale).backward()
    return loss.item(), hidden.detach()


def apply_update(model, optimizer, clip):
    torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
    optimizer.step()


@torch.no_grad()
def perplexity(model, batches):
    model.eval()
    nll, count = 0.0, 0
    hidden = None
    for x, y in batches:
        logits, hidden = model(x, hidden)
        nll += F.cross_entropy(logits.reshape(-1, logits.size(-1)), y.reshape(-1), reduction='sum').item()
        count += y.numel()
    return math.exp(min(nll / count, 20))


def time_since(since):
    s = time.time() - since
    return '%dm %ds' % (s // 60, s % 60)
