import torch
from torch import nn

from clocktower.pendulum import Pendulum


def make_works():
    works = nn.Sequential(nn.Linear(1, 24), nn.Tanh(), nn.Linear(24, 1))
    works[0].bias.requires_grad_(False)
    return works


def make_weights(works):
    return [p for p in works.parameters() if p.requires_grad]


def make_optimizer(weights, lr=0.1):
    return torch.optim.SGD(weights, lr=lr, momentum=0.9)


def make_schedule(optimizer):
    return Pendulum(torch.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.5))
