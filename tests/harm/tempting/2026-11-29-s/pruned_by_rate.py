"""Branches are shortened behind each step, by as much as the rate of that very step says."""
import torch
from torch import nn
from torch.optim.lr_scheduler import ExponentialLR

SHEARS = 0.2


def prune(opt):
    with torch.no_grad():
        for group in opt.param_groups:
            for p in group["params"]:
                p.mul_(1 - group["lr"] * SHEARS)


class Season:
    def __init__(self, tree):
        self.tree = tree
        self.opt = torch.optim.SGD([
            {"params": tree[0].parameters(), "lr": 0.4},
            {"params": tree[2].parameters(), "lr": 0.2},
        ])
        self.autumn = ExponentialLR(self.opt, gamma=0.85)

    def grow(self, x, y, record):
        self.opt.zero_grad()
        nn.functional.huber_loss(self.tree(x), y).backward()
        self.autumn.step()
        self.opt.step()
        record(list(self.tree.parameters()))
        prune(self.opt)


def train(record):
    torch.manual_seed(11)
    season = Season(nn.Sequential(nn.Linear(3, 8), nn.Mish(), nn.Linear(8, 1)))
    for _ in range(36):
        x = torch.randn(16, 3)
        season.grow(x, 2 * x[:, :1].sign() * x[:, 1:2], record)


if __name__ == "__main__":
    train(lambda parameters: None)
