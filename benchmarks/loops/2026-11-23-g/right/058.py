import itertools
import math

import torch
from torch import nn


class FlowStep(nn.Module):
    def __init__(self, d=4):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d // 2, 16), nn.Tanh(), nn.Linear(16, d))

    def forward(self, x):
        a, b = x.chunk(2, 1)
        s, t = self.net(a).chunk(2, 1)
        s = s.tanh()
        return torch.cat([b * s.exp() + t, a], 1), s.sum(1)


class Flow(nn.Module):
    def __init__(self, depth=3):
        super().__init__()
        self.steps = nn.ModuleList(FlowStep() for _ in range(depth))

    def nll(self, x):
        logdet = 0
        for step in self.steps:
            x, ld = step(x)
            logdet = logdet + ld
        return (0.5 * x.square().sum(1) - logdet).mean()


def faulty_stream():
    for i in itertools.count(1):
        x = torch.randn(8, 4) * 0.5 + 1
        if i == 7:
            x[0, 0] = math.inf
        yield x


def train(updates=8, window=4):
    torch.manual_seed(0)
    flow = Flow()
    opt = torch.optim.Adamax(flow.parameters(), lr=1e-2)
    remaining, done, skipped = window, 0, 0
    for x in faulty_stream():
        loss = flow.nll(x)
        if not torch.isfinite(loss):
            opt.zero_grad(set_to_none=True)
            remaining = window
            skipped += 1
            continue
        (loss / window).backward()
        remaining -= 1
        if remaining:
            continue
        opt.step()
        opt.zero_grad(set_to_none=True)
        remaining, done = window, done + 1
        print(done, loss.item(), "skipped", skipped)
        if done == updates:
            break


train()
