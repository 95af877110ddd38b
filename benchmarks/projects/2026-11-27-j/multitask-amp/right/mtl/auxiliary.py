"""Auxiliary objectives, found by name."""
from typing import Protocol

import torch
import torch.nn.functional as F

from mtl.amp import half_precision


class Auxiliary(Protocol):
    def contribute(self, net, x, scaler) -> float: ...


REGISTRY: dict[str, type] = {}


def auxiliary(cls):
    REGISTRY[cls.__name__.lower()] = cls
    return cls


@auxiliary
class Consistency:
    weight = 0.3

    def contribute(self, net, x, scaler) -> float:
        with half_precision():
            weak = net(x + 0.05 * torch.randn_like(x))
            strong = net(x + 0.5 * torch.randn_like(x))
            loss = self.weight * F.mse_loss(strong.float(), weak.detach().float())
        scaler.scale(loss).backward()
        return loss.item()
