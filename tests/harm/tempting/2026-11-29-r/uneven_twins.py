"""A scout learns at every micro-batch, the main net once a window; the schedules of both are moved together."""
import math
from dataclasses import dataclass

import torch
from torch import nn
from torch.optim.lr_scheduler import CosineAnnealingLR, LambdaLR


@dataclass(frozen=True)
class Plan:
    window: int = 3
    total_updates: int = 18


def net(width):
    return nn.Sequential(nn.Linear(4, width), nn.Tanh(), nn.Linear(width, 1))


def train(record):
    torch.manual_seed(909)
    plan, main, scout = Plan(), net(16), net(6)
    weights = [*main.parameters(), *scout.parameters()]
    main_opt = torch.optim.SGD(main.parameters(), lr=0.3, momentum=0.5)
    scout_opt = torch.optim.SGD(scout.parameters(), lr=0.2)
    schedules = (
        CosineAnnealingLR(main_opt, T_max=plan.total_updates),
        LambdaLR(scout_opt, lambda micro: 1 / math.sqrt(1 + micro)),
    )
    for i in range(plan.window * plan.total_updates):
        x = torch.randn(8, 4)
        y = (x[:, :1] + x[:, 1:2] * x[:, 2:3]).tanh()
        hint = scout(x)
        scout_opt.zero_grad()
        nn.functional.mse_loss(hint, y).backward()
        scout_opt.step()
        record(weights)
        doubt = (hint.detach() - y).abs() + 0.5
        ((doubt * (main(x) - y).square()).mean() / plan.window).backward()
        if (i + 1) % plan.window == 0:
            main_opt.step()
            record(weights)
            main_opt.zero_grad()
        for schedule in schedules:
            schedule.step()

if __name__ == "__main__":
    train(lambda parameters: None)
