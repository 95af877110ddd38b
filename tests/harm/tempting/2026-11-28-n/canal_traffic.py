"""Traffic on a canal, with a rate that falls after so many barges."""
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F
from torch.optim.lr_scheduler import MultiStepLR


@dataclass
class Plan:
    tow: int = 3
    tows: int = 10
    falls_at_tow: tuple = (3, 7)

    @property
    def barges(self):
        return self.tow * self.tows


def traffic(count):
    gen = torch.Generator().manual_seed(55)
    for _ in range(count):
        hull = torch.rand(6, 3, generator=gen)
        yield hull, hull[:, :1] * hull[:, 1:2] - hull[:, 2:]


def train(record, plan=Plan()):
    torch.manual_seed(9)
    pilot = nn.Sequential(nn.Linear(3, 14), nn.Tanh(), nn.Linear(14, 1))
    optimizer = torch.optim.SGD(pilot.parameters(), lr=0.5, momentum=0.8)
    by_barge = MultiStepLR(optimizer, [plan.tow * at for at in plan.falls_at_tow], gamma=0.2)
    for barge, (hull, draught) in enumerate(traffic(plan.barges), start=1):
        (F.mse_loss(pilot(hull), draught) / plan.tow).backward()
        if barge % plan.tow == 0:
            optimizer.step()
            record(list(pilot.parameters()))
            optimizer.zero_grad()
        by_barge.step()


if __name__ == "__main__":
    train(lambda parameters: None)
