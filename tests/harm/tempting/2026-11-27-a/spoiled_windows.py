import math

import torch
from torch import nn


def readings(count):
    out = []
    for k in range(count):
        x = torch.randn(8, 3)
        y = x.prod(1, keepdim=True)
        if k in (5, 14):
            y[2] = math.inf
        out.append((x, y))
    return out


def train(record):
    torch.manual_seed(116)
    net = nn.Sequential(nn.Linear(3, 14), nn.Softplus(), nn.Linear(14, 1))
    sgd = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9, nesterov=True)
    series, every, spoiled = readings(18), 3, 0
    for epoch in range(2):
        pending = 0
        for x, y in series:
            loss = nn.functional.l1_loss(net(x), y)
            if not torch.isfinite(loss):
                net.zero_grad()
                pending = 0
                spoiled += 1
                continue
            (loss / every).backward()
            pending += 1
            if pending == every:
                sgd.step()
                record(list(net.parameters()))
                sgd.zero_grad()
                pending = 0
        if pending:
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            sgd.step()
            record(list(net.parameters()))
            sgd.zero_grad()
    assert spoiled == 4


if __name__ == "__main__":
    train(lambda parameters: None)
