from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Protocol

import torch


class Precision(Protocol):
    def forward(self) -> AbstractContextManager: ...

    def backward(self, loss: torch.Tensor) -> None: ...

    def true_gradients(self, optimizer: torch.optim.Optimizer) -> None: ...

    def apply(self, optimizer: torch.optim.Optimizer) -> None: ...

    def settle(self) -> None: ...


class Full:
    def forward(self):
        return nullcontext()

    def backward(self, loss):
        loss.backward()

    def true_gradients(self, optimizer):
        pass

    def apply(self, optimizer):
        optimizer.step()

    def settle(self):
        pass


class Float16:
    def __init__(self, device: str, active: bool = True):
        self.device, self.active = device, active
        self.scaler = torch.amp.GradScaler(device, enabled=active)

    def forward(self):
        return torch.autocast(self.device, dtype=torch.float16, enabled=self.active)

    def backward(self, loss):
        self.scaler.scale(loss).backward()

    def true_gradients(self, optimizer):
        self.scaler.unscale_(optimizer)

    def apply(self, optimizer):
        self.scaler.step(optimizer)

    def settle(self):
        self.scaler.update()
