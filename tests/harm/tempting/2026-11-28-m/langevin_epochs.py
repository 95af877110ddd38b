"""Stochastic gradient Langevin dynamics; the rate, and the noise with it, falls with the epochs."""
import math

import torch
from torch import nn
from torch.optim.lr_scheduler import ExponentialLR

HEAT = 1e-4


@torch.no_grad()
def shake(params, rate):
    for p in params:
        p.add_(torch.randn_like(p), alpha=math.sqrt(2 * rate * HEAT))


def train(record):
    torch.manual_seed(113)
    net = nn.Sequential(nn.Linear(3, 10), nn.Tanh(), nn.Linear(10, 1))
    params = list(net.parameters())
    opt = torch.optim.SGD(params, lr=0.2)
    schedule = ExponentialLR(opt, gamma=0.7)
    batches = [(x, x.pow(2).mean(1, keepdim=True)) for x in torch.randn(6, 8, 3)]
    samples = []
    for epoch in range(5):
        schedule.step()
        rate = schedule.get_last_lr()[0]
        for x, y in batches:
            opt.zero_grad()
            nn.functional.mse_loss(net(x), y).backward()
            opt.step()
            record(params)
            shake(params, rate)
        if epoch >= 2:
            samples.append([p.detach().clone() for p in params])
    return samples


if __name__ == "__main__":
    train(lambda parameters: None)
