from dataclasses import dataclass

import torch
from torch import nn

from strategies import AmpStep, PlainStep


@dataclass
class Job:
    net: nn.Module
    optimizer: torch.optim.Optimizer
    strategy: object
    target: object


def crusher_job(plan):
    net = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 1))
    optimizer = torch.optim.AdamW(net.parameters(), lr=plan["crusher_rate"])
    return Job(net, optimizer, AmpStep(plan["most"]), lambda x: x.amax(1, keepdim=True))


def sorter_job(plan):
    net = nn.Linear(6, 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=plan["sorter_rate"])
    return Job(net, optimizer, PlainStep(plan["most"]), lambda x: x.mean(1, keepdim=True))
