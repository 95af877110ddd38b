"""Differentially private SGD with one backward per sample."""
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Privacy:
    bound: float = 0.7
    noise: float = 0.4
    lot: int = 6


def train(record):
    torch.manual_seed(11)
    cfg = Privacy()
    net = nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 3))
    params = list(net.parameters())
    optimizer = torch.optim.SGD(params, lr=0.5)
    x = torch.randn(48, 5)
    y = (x[:, :3] + 0.1 * torch.randn(48, 3)).argmax(1)

    lot_sum = [torch.zeros_like(p) for p in params]
    for i in range(len(x)):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(x[i : i + 1]), y[i : i + 1])
        loss.backward()
        nn.utils.clip_grad_norm_(params, cfg.bound)
        for total, p in zip(lot_sum, params):
            total += p.grad
        if (i + 1) % cfg.lot == 0:
            for total, p in zip(lot_sum, params):
                total += cfg.noise * cfg.bound * torch.randn_like(total)
                p.grad.copy_(total / cfg.lot)
                total.zero_()
            optimizer.step()
            record(params)


if __name__ == "__main__":
    train(lambda parameters: None)
