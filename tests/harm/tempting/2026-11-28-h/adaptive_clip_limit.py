"""Adaptive clipping: the limit follows the median of the norms seen so far."""
import statistics

import torch
from torch import nn
from torch.nn import functional as F


class Fit:
    def __init__(self, net, record):
        self.net, self.record = net, record
        self.opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
        self.norms = []

    def gradients(self, x, y):
        self.opt.zero_grad()
        F.mse_loss(self.net(x), y).backward()
        parts = [p.grad.norm() for p in self.net.parameters()]
        self.norms.append(torch.stack(parts).norm().item())

    def apply(self):
        self.opt.step()
        self.record(list(self.net.parameters()))

    def warm_up(self, batches):
        for x, y in batches:
            self.gradients(x, y)
            self.apply()

    def fit(self, batches):
        for x, y in batches:
            self.gradients(x, y)
            self.apply()
            limit = 0.8 * statistics.median(self.norms[-9:])
            nn.utils.clip_grad_norm_(self.net.parameters(), limit)


def heavy_tailed(count):
    for _ in range(count):
        x = torch.randn(12, 5)
        noise = torch.distributions.StudentT(1.5).sample((12, 1))
        yield x, x.sum(1, keepdim=True) + 0.3 * noise


def train(record):
    torch.manual_seed(24)
    fit = Fit(nn.Sequential(nn.Linear(5, 10), nn.Tanh(), nn.Linear(10, 1)), record)
    fit.warm_up(list(heavy_tailed(6)))
    fit.fit(list(heavy_tailed(24)))


if __name__ == "__main__":
    train(lambda parameters: None)
