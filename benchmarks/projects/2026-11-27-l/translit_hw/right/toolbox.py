from dataclasses import dataclass

import torch
import torch.nn as nn

from nets import Translit


@dataclass
class Toolbox:
    net: nn.Module
    opt: torch.optim.Optimizer
    pace: torch.optim.lr_scheduler.LRScheduler
    loss: nn.Module
    limit: float = 1.0


def open_toolbox(vocab):
    net = Translit(vocab)
    opt = torch.optim.Adam(net.parameters(), lr=1e-2)
    pace = torch.optim.lr_scheduler.StepLR(opt, step_size=2, gamma=0.5)
    return Toolbox(net, opt, pace, nn.CrossEntropyLoss())


def tame(box):
    return nn.utils.clip_grad_norm_(box.net.parameters(), box.limit).item()
