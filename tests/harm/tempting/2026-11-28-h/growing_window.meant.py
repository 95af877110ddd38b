"""Instead of decaying the rate, the batch grows: the window is doubled stage by stage."""
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F


@dataclass
class Config:
    window: int = 2
    stages: int = 3
    updates: int = 5
    lr: float = 0.2


class Grower:
    def __init__(self, net, cfg):
        self.net, self.cfg = net, cfg
        self.window = cfg.window
        self.opt = torch.optim.SGD(net.parameters(), lr=cfg.lr)

    def grow(self):
        self.window *= 2

    def backward(self, x, y):
        loss = F.cross_entropy(self.net(x), y)
        (loss / self.window).backward()
        return loss.item()

    def update(self, draw):
        losses = [self.backward(*draw()) for _ in range(self.window)]
        self.opt.step()
        self.opt.zero_grad()
        return sum(losses) / len(losses)


def draw():
    x = torch.randn(6, 4)
    return x, (x[:, 0] > x[:, 1]).long() + (x[:, 2] > 0).long()


def train(record):
    torch.manual_seed(21)
    cfg = Config()
    net = nn.Sequential(nn.Linear(4, 12), nn.ReLU(), nn.Linear(12, 3))
    grower = Grower(net, cfg)
    for stage in range(cfg.stages):
        if stage:
            grower.grow()
        for _ in range(cfg.updates):
            grower.update(draw)
            record(list(net.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
