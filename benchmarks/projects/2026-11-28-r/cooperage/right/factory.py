from dataclasses import dataclass
from typing import Any

from torch import optim

from staves import Cask

OPTIMIZERS = {"adamw": optim.AdamW, "sgd": optim.SGD}


@dataclass
class Kit:
    net: Any
    weights: Any
    optimizer: optim.Optimizer
    schedule: optim.lr_scheduler.StepLR


def trainable(net):
    return [p for p in net.parameters() if p.requires_grad]


def make_kit(conf):
    net = Cask(conf.cask.staves, conf.cask.hidden)
    net.hoops.requires_grad_(not conf.cask.frozen)
    weights = trainable(net)
    optimizer = OPTIMIZERS[conf.optim.name](weights, lr=conf.optim.lr)
    schedule = optim.lr_scheduler.StepLR(optimizer, conf.optim.halve_every, gamma=0.5)
    return Kit(net, weights, optimizer, schedule)
