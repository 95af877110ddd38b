from dataclasses import dataclass

import torch
from torch.optim.lr_scheduler import ExponentialLR, LRScheduler


@dataclass
class Bundle:
    model: torch.nn.Module
    optimizer: torch.optim.Optimizer
    schedule: LRScheduler


def outfit(model, rate, decay):
    optimizer = torch.optim.SGD(model.parameters(), lr=rate, momentum=0.8)
    return Bundle(model, optimizer, ExponentialLR(optimizer, gamma=decay))
