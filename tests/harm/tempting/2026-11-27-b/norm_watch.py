import math

import torch
from torch import nn


def watch(net, limit=None):
    bound = math.inf if limit is None else limit
    return nn.utils.clip_grad_norm_(net.parameters(), bound).item()


def batches_of(x, y, n):
    order = torch.randperm(len(x))
    return [(x[part], y[part]) for part in order.split(n)]


def train(record):
    torch.manual_seed(33)
    accum = 4
    net = nn.Sequential(nn.Linear(9, 9), nn.ReLU(), nn.Linear(9, 4))
    ada = torch.optim.Adagrad(net.parameters(), lr=0.05)
    x = torch.randn(72, 9)
    y = x.view(72, 3, 3).sum(1).argmax(1)
    growth, final = [], []
    for epoch in range(2):
        todo = batches_of(x, y, 8)
        for i, (xb, yb) in enumerate(todo, 1):
            loss = nn.functional.cross_entropy(net(xb), yb)
            loss.div(accum).backward()
            growth.append(watch(net))
            if i % accum and i < len(todo):
                continue
            final.append(watch(net, 0.7))
            ada.step()
            record(list(net.parameters()))
            ada.zero_grad()
        print(epoch, max(growth), final[-1])


if __name__ == "__main__":
    train(lambda parameters: None)
