"""Beacons above mountain huts; a loud gradient makes the next step shorter."""
import torch
from torch import nn
from torch.nn import functional as F


class Meter:
    def __init__(self, net, keep=0.6):
        self.net, self.keep, self.level = net, keep, 0.0

    def read(self):
        found = [p.grad.norm() for p in self.net.parameters() if p.grad is not None]
        now = torch.stack(found).norm().item() if found else 0.0
        self.level = self.keep * self.level + (1 - self.keep) * now
        return self.level


def nights(count):
    gen = torch.Generator().manual_seed(2)
    for _ in range(count):
        fog = torch.randn(12, 4, generator=gen)
        yield fog, fog.abs().sum(1, keepdim=True)


def train(record):
    torch.manual_seed(20)
    beacon = nn.Sequential(nn.Linear(4, 10), nn.Softplus(), nn.Linear(10, 1))
    optimizer = torch.optim.SGD(beacon.parameters(), lr=0.02)
    meter = Meter(beacon)
    for fog, light in nights(20):
        loss = F.smooth_l1_loss(beacon(fog), light)
        loss.backward()
        optimizer.step()
        record(list(beacon.parameters()))
        for group in optimizer.param_groups:
            group["lr"] = 0.2 / (1.0 + meter.read())


if __name__ == "__main__":
    train(lambda parameters: None)
