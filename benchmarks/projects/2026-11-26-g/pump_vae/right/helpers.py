import math

import torch
from torch.nn.utils import clip_grad_norm_


def vibrations(count, size=20):
    time = torch.linspace(0, 4 * math.pi, size)
    for _ in range(count):
        phase = 2 * math.pi * torch.rand(16, 1)
        yield torch.sin(time + phase) + 0.1 * torch.randn(16, size)


def push(loss, net):
    loss.backward()


def finish_window(net, optimizer):
    clip_grad_norm_(net.parameters(), 0.25)
    optimizer.step()
    optimizer.zero_grad()


@torch.no_grad()
def anomaly_threshold(net, batches):
    net.eval()
    errors = torch.cat([(net.decode(net.encode(x)[0]) - x).pow(2).mean(1) for x in batches])
    return round(errors.quantile(0.95).item(), 4)
