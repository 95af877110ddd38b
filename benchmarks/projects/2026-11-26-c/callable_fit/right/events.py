import copy
from functools import partial

import torch
from torch import nn


def clip_to(max_norm: float):
    return partial(_clip, max_norm=max_norm)


def _clip(model: nn.Module, max_norm: float) -> None:
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)


class WeightAverage:
    """Exponential average of the weights; an object that can be passed as an event."""

    def __init__(self, model: nn.Module, decay: float = 0.9) -> None:
        self.shadow = copy.deepcopy(model)
        self.decay = decay

    @torch.no_grad()
    def __call__(self, model: nn.Module) -> None:
        for s, p in zip(self.shadow.parameters(), model.parameters()):
            s.lerp_(p, 1.0 - self.decay)
        for s, b in zip(self.shadow.buffers(), model.buffers()):
            s.copy_(b)


def in_order(*events):
    def run(model: nn.Module) -> None:
        for event in events:
            event(model)
    return run
