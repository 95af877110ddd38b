import torch
from torch import nn
from torch.optim import lr_scheduler

OPTIMIZERS = {"adam": torch.optim.Adam, "sgd": torch.optim.SGD}
SCHEDULES = {"exponential": lr_scheduler.ExponentialLR, "cosine": lr_scheduler.CosineAnnealingLR}


def make_net(cfg):
    return nn.Sequential(nn.Linear(cfg.net.fibres, cfg.net.width), nn.ReLU(), nn.Linear(cfg.net.width, 1))


def make_optimizer(cfg, net):
    return OPTIMIZERS[cfg.optim.name](net.parameters(), lr=cfg.optim.lr)


def make_schedule(cfg, optimizer):
    return SCHEDULES[cfg.schedule.name](optimizer, **cfg.schedule.args)


def skeins(count):
    gen = torch.Generator().manual_seed(101)
    fibres = [torch.rand(12, 6, generator=gen) for _ in range(count)]
    return [(f, f.max(1, keepdim=True).values) for f in fibres]
