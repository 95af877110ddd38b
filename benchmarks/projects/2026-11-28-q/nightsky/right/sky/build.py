import torch
from torch import nn
from torch.optim.lr_scheduler import ExponentialLR

from sky.exposure import Exposure


def instrument(lr):
    lens = nn.Sequential(nn.Linear(2, 32), nn.SiLU(), nn.Linear(32, 1))
    optimizer = torch.optim.SGD(lens.parameters(), lr=lr)
    dimmer = ExponentialLR(optimizer, gamma=0.7)
    return lens, {"exposure": Exposure(optimizer), "dimmer": dimmer}
