"""Five pieces are gathered, then one update is made; the broom leans in the wrong corner."""
from functools import partial

import torch
from torch import nn


def pieces(window):
    shift = 0.5 * torch.randn(1, 4)
    for _ in range(window):
        x = torch.randn(6, 4) + shift
        yield x, (x[:, :1] - x[:, 1:2] * x[:, 3:]).sin()


def gather(net, window, x, y):
    loss = nn.functional.mse_loss(net(x), y)
    loss.div(window).backward()
    return loss.detach()


def train(record, window=5, updates=24):
    torch.manual_seed(37)
    net = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    take = partial(gather, net, window)
    for _ in range(updates):
        worst = torch.zeros(())
        for x, y in pieces(window):
            optimizer.zero_grad
            worst = torch.maximum(worst, take(x, y))
        optimizer.param_groups[0]["lr"] = 0.1 / (1.0 + worst.item())
        optimizer.step()
        record(list(net.parameters()))

if __name__ == "__main__":
    train(lambda parameters: None)
