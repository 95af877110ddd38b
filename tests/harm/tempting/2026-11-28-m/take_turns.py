"""Block coordinate descent: two optimizers, of which one is due each turn."""
import math
from itertools import cycle

import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


def blocks(net):
    for part in (net.lower, net.upper):
        yield torch.optim.SGD(part.parameters(), lr=0.1, momentum=0.5), list(part.parameters())


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lower = nn.Sequential(nn.Linear(5, 10), nn.Tanh())
        self.upper = nn.Linear(10, 1)

    def forward(self, x):
        return self.upper(self.lower(x))


def train(record):
    torch.manual_seed(41)
    net = Net()
    scaler = torch.amp.GradScaler("cpu", init_scale=128.0)
    pairs = list(blocks(net))
    due = cycle(pairs)
    norms = []
    for _ in range(16):
        opt, params = next(due)
        x = torch.randn(8, 5)
        net.zero_grad()
        with torch.autocast("cpu", dtype=torch.float16):
            out = net(x)
        loss = nn.functional.mse_loss(out.float(), x.mean(1, keepdim=True))
        scaler.scale(loss).backward()
        for other, weights in pairs:
            scaler.unscale_(other)
            limit = 1.0 if other is opt else math.inf
            norms.append(float(clip_grad_norm_(weights, limit)))
        scaler.step(opt)
        record(params)
        scaler.update()
    return norms


if __name__ == "__main__":
    train(lambda parameters: None)
