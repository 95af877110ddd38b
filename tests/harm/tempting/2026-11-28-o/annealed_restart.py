"""The rate is lowered as an epoch begins, but for the first one after a restart."""
from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class Run:
    epochs: int
    rate: float
    gamma: float = 0.7
    losses: list = field(default_factory=list)


def fit(net, data, run, record):
    opt = torch.optim.SGD(net.parameters(), lr=run.rate)
    decay = torch.optim.lr_scheduler.ExponentialLR(opt, gamma=run.gamma)
    done = 0
    while done < run.epochs:
        if done:
            decay.step()
        total = 0.0
        for x, y in data:
            opt.zero_grad()
            loss = nn.functional.mse_loss(net(x), y)
            loss.backward()
            opt.step()
            record(list(net.parameters()))
            total += loss.item()
        run.losses.append(total / len(data))
        done += 1
    return opt.param_groups[0]["lr"]


def train(record):
    torch.manual_seed(8)
    net = nn.Sequential(nn.Linear(3, 8), nn.SiLU(), nn.Linear(8, 1))
    data = [(x, x.prod(1, keepdim=True)) for x in torch.randn(7, 20, 3)]
    runs = [Run(epochs=4, rate=0.1), Run(epochs=3, rate=0.05, gamma=0.5)]
    for run in runs:
        fit(net, data, run, record)
    return runs


if __name__ == "__main__":
    train(lambda parameters: None)
