from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Cfg:
    batch: int = 4
    accum: int = 5
    lr: float = 0.02
    steps: int = 20


def train(cfg: Cfg):
    torch.manual_seed(4)
    model = nn.Sequential(nn.Linear(3, 10), nn.GELU(), nn.Linear(10, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=cfg.lr)
    for step in range(1, cfg.steps + 1):
        x = torch.randn(cfg.batch, 3)
        y = (x.sum(1) > 0).long()
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y) / cfg.accum
        loss.backward()
        if step % cfg.accum == 0:
            optimizer.step()
            print(step, loss.item() * cfg.accum)


train(Cfg())
