from collections.abc import Iterable

import torch
from torch import nn
from torch.optim.lr_scheduler import MultiStepLR

BUILDERS = {
    "sgd": lambda params, lr: torch.optim.SGD(params, lr=lr),
    "adagrad": lambda params, lr: torch.optim.Adagrad(params, lr=lr),
}


def trainable(model: nn.Module) -> Iterable[nn.Parameter]:
    return (p for p in model.parameters() if p.requires_grad)


def build(params: Iterable[nn.Parameter], opts: dict):
    optimizer = BUILDERS[opts["name"]](params, opts["lr"])
    return optimizer, MultiStepLR(optimizer, milestones=[opts["milestone"]], gamma=0.1)
