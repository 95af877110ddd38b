"""Langevin dynamics with a falling rate; the noise is as large as the rate of the very step asks."""
import math

import torch
from torch import nn
from torch.optim.lr_scheduler import PolynomialLR

STEPS, HEAT = 40, 1e-4


def rate_of(optimizer):
    return optimizer.param_groups[0]["lr"]


class Walk:
    def __init__(self, net, record):
        self.net, self.record = net, record
        self.optimizer = torch.optim.SGD(net.parameters(), lr=0.2)
        self.scheduler = PolynomialLR(self.optimizer, total_iters=STEPS, power=2.0)

    def shake(self):
        scale = math.sqrt(2 * rate_of(self.optimizer) * HEAT)
        with torch.no_grad():
            for p in self.net.parameters():
                p.add_(torch.randn_like(p), alpha=scale)

    def step(self, energy):
        self.optimizer.zero_grad()
        energy.backward()
        self.optimizer.step()
        self.shake()
        self.scheduler.step()
        self.record(list(self.net.parameters()))


def train(record):
    torch.manual_seed(47)
    net = nn.Sequential(nn.Linear(2, 10), nn.Tanh(), nn.Linear(10, 1))
    walk = Walk(net, record)
    for _ in range(STEPS):
        x = torch.rand(12, 2)
        walk.step(nn.functional.mse_loss(net(x), (x[:, :1] > x[:, 1:]).float()))


if __name__ == "__main__":
    train(lambda parameters: None)
