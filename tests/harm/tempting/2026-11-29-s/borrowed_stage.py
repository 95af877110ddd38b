"""A guest borrows the network for a look and leaves every layer as it was found, sleeping ones asleep."""
import functools

import torch
from torch import nn


def guest(look):
    @functools.wraps(look)
    def visit(net, *rest):
        found = [(layer, layer.training) for layer in net.modules()]
        try:
            return look(net, *rest)
        finally:
            for layer, awake in found:
                layer.training = awake

    return visit


@guest
def score(net, x, y):
    net.eval()
    with torch.no_grad():
        return nn.functional.mse_loss(net(x), y).item()


def train(record):
    torch.manual_seed(1999)
    trunk = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU())
    net = nn.Sequential(trunk, nn.Dropout(0.3), nn.Linear(8, 1))
    x = torch.randn(80, 4) * 2 + 1
    y = x.cos().sum(1, keepdim=True)
    trunk[1].running_mean.copy_(trunk[0](x).mean(0).detach())
    trunk[1].running_var.copy_(trunk[0](x).var(0).detach())
    trunk.eval()
    optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
    best = float("inf")
    for turn in range(40):
        rows = torch.randint(0, 64, (8,))
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x[rows]), y[rows]).backward()
        optimizer.step()
        record(list(net.parameters()))
        if turn % 5 == 4:
            best = min(best, score(net, x[64:], y[64:]))


if __name__ == "__main__":
    train(lambda parameters: None)
