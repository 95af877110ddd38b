"""Mixed-precision training engine. Tasks fill in the hooks."""
from __future__ import annotations

import abc
from typing import Any, Iterable

import torch
from torch import nn


class AmpEngine(abc.ABC):
    def __init__(self, model: nn.Module, optimizer: torch.optim.Optimizer, *, device: str = "cpu"):
        self.model = model
        self.optimizer = optimizer
        self.device = device
        self.scaler = torch.amp.GradScaler(device, init_scale=2.0**12)
        self.losses: list[float] = []

    @abc.abstractmethod
    def compute_loss(self, batch: Any) -> torch.Tensor: ...

    def on_epoch_start(self, epoch: int) -> None:
        pass

    def on_epoch_end(self, epoch: int) -> None:
        pass

    def before_step(self) -> None:
        """Gradients of the whole batch are there, the optimizer has not moved yet."""

    def update(self, batch: Any) -> None:
        self.optimizer.zero_grad(set_to_none=True)
        with torch.autocast(self.device, dtype=torch.float16):
            loss = self.compute_loss(batch)
        self.scaler.scale(loss).backward()
        self.before_step()
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.losses.append(loss.item())

    def fit(self, loader: Iterable, epochs: int) -> None:
        self.model.train()
        for epoch in range(epochs):
            self.on_epoch_start(epoch)
            for batch in loader:
                self.update(batch)
            self.on_epoch_end(epoch)
