from contextlib import contextmanager

import torch
from torch import nn


@contextmanager
def evaluating(*modules):
    modes = [m.training for m in modules]
    for m in modules:
        m.eval()
    try:
        with torch.no_grad():
            yield
    finally:
        for m, mode in zip(modules, modes):
            m.train(mode)


def accuracy(net, x, y):
    with evaluating(net):
        return (net(x).argmax(1) == y).float().mean().item()


torch.manual_seed(145)
x = torch.randn(260, 10)
y = (x[:, 0] * x[:, 1] > 0).long()
net = nn.Sequential(nn.Linear(10, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Dropout(0.2), nn.Linear(64, 2))
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
for epoch in range(6):
    for idx in torch.randperm(200).split(40):
        opt.zero_grad()
        loss = nn.functional.cross_entropy(net(x[idx]), y[idx])
        loss.backward()
        opt.step()
    print(epoch, loss.item(), accuracy(net, x[200:], y[200:]), net.training)
