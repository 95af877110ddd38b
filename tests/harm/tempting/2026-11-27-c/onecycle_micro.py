from dataclasses import dataclass

import torch
from torch import nn
from torch.optim.lr_scheduler import OneCycleLR


@dataclass
class Config:
    epochs: int = 3
    accumulate: int = 3
    peak: float = 0.2


def dataset():
    x = torch.randn(11, 12, 5)
    return [(part, part.sum(1).gt(0).long()) for part in x]


def train(record):
    torch.manual_seed(77)
    cfg = Config()
    net = nn.Sequential(nn.Linear(5, 16), nn.GELU(), nn.Linear(16, 2))
    loader = dataset()
    opt = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)
    total = cfg.epochs * len(loader)
    cycle = OneCycleLR(opt, max_lr=cfg.peak, total_steps=total)
    rates = []
    for epoch in range(cfg.epochs):
        for i, (x, y) in enumerate(loader):
            last = i == len(loader) - 1
            loss = nn.functional.cross_entropy(net(x), y)
            loss.div(cfg.accumulate).backward()
            if i % cfg.accumulate == cfg.accumulate - 1 or last:
                opt.step()
                record(list(net.parameters()))
                opt.zero_grad()
            cycle.step()
            rates.append(cycle.get_last_lr()[0])


if __name__ == "__main__":
    train(lambda parameters: None)
