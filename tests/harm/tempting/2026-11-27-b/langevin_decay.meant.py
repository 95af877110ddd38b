import math

import torch
from torch import nn, optim


def jitter(weights, rate, heat, source):
    with torch.no_grad():
        for w in weights:
            w.add_(torch.randn(w.shape, generator=source), alpha=math.sqrt(2 * rate) * heat)


def held_out_error(net, x, y):
    with torch.no_grad():
        return nn.functional.mse_loss(net(x), y).item()


class Sampler:
    def __init__(self, net, heat=0.01):
        self.net, self.heat = net, heat
        self.opt = optim.SGD(net.parameters(), lr=0.2)
        self.decay = optim.lr_scheduler.ExponentialLR(self.opt, gamma=0.5)
        self.source = torch.Generator().manual_seed(99)
        self.kept = []

    def run(self, batches, held_out, epochs, record):
        best = float("inf")
        weights = list(self.net.parameters())
        for epoch in range(epochs):
            rate = self.opt.param_groups[0]["lr"]
            for x, y in batches:
                self.opt.zero_grad()
                nn.functional.mse_loss(self.net(x), y).backward()
                self.opt.step()
                jitter(weights, rate, self.heat, self.source)
                record(weights)
            self.decay.step()
            error = held_out_error(self.net, *held_out)
            if error >= best:
                continue
            best = error
            self.kept.append((epoch, rate, error))


def train(record):
    torch.manual_seed(38)
    net = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
    x = torch.randn(64, 3)
    y = x.prod(1, keepdim=True)
    chain = Sampler(net)
    batches = list(zip(x[:48].split(12), y[:48].split(12)))
    chain.run(batches, (x[48:], y[48:]), 3, record)
    print(chain.kept)


if __name__ == "__main__":
    train(lambda parameters: None)
