from dataclasses import dataclass

import torch
from torch import nn


class OreNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(8, 20), nn.ReLU())
        self.kind = nn.Linear(20, 3)
        self.age = nn.Linear(20, 1)

    def forward(self, spectrum):
        hidden = self.trunk(spectrum)
        return self.kind(hidden), self.age(hidden)


@dataclass
class Parts:
    net: nn.Module
    optimizer: torch.optim.Optimizer
    decay: torch.optim.lr_scheduler.LRScheduler
    scaler: torch.amp.GradScaler


def assemble(lr):
    torch.manual_seed(31)
    net = OreNet()
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    decay = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.8)
    scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
    return Parts(net, optimizer, decay, scaler)
