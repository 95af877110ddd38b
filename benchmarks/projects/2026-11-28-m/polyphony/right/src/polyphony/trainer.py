from __future__ import annotations

from abc import ABC, abstractmethod

import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader

from polyphony.config import TrainConfig


class Trainer(ABC):
    """Accumulating mixed-precision loop; subclasses say what a loss is."""

    def __init__(self, net: nn.Module, cfg: TrainConfig, train: DataLoader, valid: DataLoader) -> None:
        self.net, self.cfg = net, cfg
        self.train_loader, self.valid_loader = train, valid
        self.optimizer = torch.optim.SGD(net.parameters(), lr=cfg.lr, momentum=0.9)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)

    @abstractmethod
    def compute_loss(self, batch: tuple[Tensor, Tensor]) -> Tensor: ...

    def on_micro_batch_end(self) -> None:
        """Called after each micro-batch."""

    def update(self) -> None:
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad(set_to_none=True)

    def fit(self) -> None:
        for epoch in range(self.cfg.epochs):
            self.net.train()
            total = 0.0
            for n, batch in enumerate(self.train_loader, start=1):
                with torch.autocast("cpu", dtype=torch.float16):
                    loss = self.compute_loss(batch)
                self.scaler.scale(loss / self.cfg.accum).backward()
                total += loss.item()
                if n % self.cfg.accum == 0 or n == len(self.train_loader):
                    self.update()
                self.on_micro_batch_end()
            print(f"epoch {epoch}: train {total / n:.4f} valid {self.evaluate():.4f}")

    @torch.no_grad()
    def evaluate(self) -> float:
        self.net.eval()
        losses = [self.compute_loss(batch).item() for batch in self.valid_loader]
        return sum(losses) / len(losses)
