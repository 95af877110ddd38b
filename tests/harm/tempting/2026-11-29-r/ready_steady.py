"""ready() prepares a turn: it clears, sets the rate, and limits."""
import math

import torch
from torch import nn

TURNS, MOST = 36, 0.25


def ready(optimizer, turn):
    for group in optimizer.param_groups:
        group["lr"] = 0.05 + 0.25 * math.sin(math.pi * turn / TURNS)
    optimizer.zero_grad(set_to_none=False)
    for group in optimizer.param_groups:
        nn.utils.clip_grad_norm_(group["params"], MOST)
    return optimizer


def go(net, x):
    target = torch.where(x[:, :1] > 0, x[:, 1:2], -x[:, 2:3])
    return nn.functional.mse_loss(net(x), target)


def train(record):
    torch.manual_seed(87)
    net = nn.Sequential(nn.Linear(3, 20), nn.Tanh(), nn.Linear(20, 1))
    optimizer = torch.optim.SGD(
        [{"params": net[0].parameters()}, {"params": net[2].parameters()}], lr=0.0, momentum=0.6
    )
    for turn in range(TURNS):
        x = torch.randn(12, 3)
        steady = ready(optimizer, turn)
        go(net, x).backward()
        steady.step()
        record(list(net.parameters()))

if __name__ == "__main__":
    train(lambda parameters: None)
