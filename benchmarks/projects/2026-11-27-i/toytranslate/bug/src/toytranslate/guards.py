from typing import Protocol

from torch import nn, optim

from toytranslate.amp import MixedPrecision


class GradientGuard(Protocol):
    def __call__(self, amp: MixedPrecision, optimizer: optim.Optimizer, model: nn.Module) -> None: ...


class NormGuard:
    def __init__(self, limit: float) -> None:
        self.limit = limit

    def __call__(self, amp: MixedPrecision, optimizer: optim.Optimizer, model: nn.Module) -> None:
        amp.reveal(optimizer)
        nn.utils.clip_grad_norm_(model.parameters(), self.limit)
