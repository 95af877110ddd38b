from typing import Callable

import torch
from torch.nn import functional as F

_LOSSES: dict[str, Callable] = {}


def register(name):
    def wrap(fn):
        _LOSSES[name] = fn
        return fn

    return wrap


def get_loss(name: str) -> Callable:
    return _LOSSES[name]


@register("bce")
def bce(logits, mask):
    return F.binary_cross_entropy_with_logits(logits, mask)


@register("dice_bce")
def dice_bce(logits, mask):
    p = torch.sigmoid(logits).flatten(1)
    m = mask.flatten(1)
    dice = 1 - (2 * (p * m).sum(1) + 1) / (p.sum(1) + m.sum(1) + 1)
    return dice.mean() + bce(logits, mask)
