import math

import torch
from torch.nn import functional as F


def perplexity(net, loader):
    net.eval()
    total = 0.0
    for melody in loader:
        logits = net(melody[:, :-1])
        total += F.cross_entropy(logits.flatten(0, 1), melody[:, 1:].flatten()).item()
    return math.exp(total / len(loader))
