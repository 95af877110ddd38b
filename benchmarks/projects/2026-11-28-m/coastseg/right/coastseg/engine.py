from __future__ import annotations

import torch
from torch import nn
from torch.nn.functional import binary_cross_entropy_with_logits
from torch.utils.data import DataLoader

from coastseg.callbacks import Callback

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


class Engine:
    def __init__(self, model: nn.Module, lr: float, callbacks: list[Callback]) -> None:
        self.model = model.to(DEVICE)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=lr, momentum=0.9)
        self.amp = DEVICE == "cuda"
        self.scaler = torch.amp.GradScaler(DEVICE, enabled=self.amp)
        self.callbacks, self.stats = callbacks, {}

    def emit(self, event: str) -> None:
        for callback in self.callbacks:
            getattr(callback, event)(self)

    def train_batch(self, image: torch.Tensor, mask: torch.Tensor) -> float:
        self.optimizer.zero_grad()
        with torch.autocast(DEVICE, dtype=torch.float16, enabled=self.amp):
            loss = binary_cross_entropy_with_logits(self.model(image), mask)
        self.emit("before_backward")
        self.scaler.scale(loss).backward()
        self.scaler.unscale_(self.optimizer)
        self.emit("before_step")
        self.scaler.step(self.optimizer)
        self.scaler.update()
        return loss.item()

    def fit(self, train: DataLoader, valid: DataLoader, epochs: int) -> None:
        for _ in range(epochs):
            self.model.train()
            losses = [self.train_batch(x.to(DEVICE), y.to(DEVICE)) for x, y in train]
            self.stats["train"] = sum(losses) / len(losses)
            self.stats["iou"] = self.iou(valid)
            self.emit("epoch_end")

    @torch.no_grad()
    def iou(self, loader: DataLoader) -> float:
        self.model.eval()
        both = either = 0.0
        for x, y in loader:
            land = self.model(x.to(DEVICE)) > 0
            y = y.to(DEVICE) > 0
            both += (land & y).sum().item()
            either += (land | y).sum().item()
        return both / either
