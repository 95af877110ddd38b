from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader


class BaseTask:
    def __init__(self, model: nn.Module, criterion: nn.Module, device: torch.device) -> None:
        self.model = model.to(device)
        self.criterion = criterion
        self.device = device

    def training_step(self, batch: dict[str, Tensor], scale: float) -> float:
        self.model.zero_grad()
        inputs = {k: v.to(self.device) for k, v in batch.items()}
        target = inputs.pop("target")
        loss = self.criterion(self.model(**inputs), target)
        (loss * scale).backward()
        return loss.item()

    @torch.no_grad()
    def evaluate(self, loader: DataLoader) -> float:
        self.model.eval()
        errors = []
        for batch in loader:
            inputs = {k: v.to(self.device) for k, v in batch.items()}
            target = inputs.pop("target")
            errors.append((self.model(**inputs) - target).abs().mean().item())
        self.model.train()
        return sum(errors) / len(errors)


class Runner:
    def __init__(self, task: BaseTask, optimizer: torch.optim.Optimizer, settings: dict[str, Any]) -> None:
        self.task = task
        self.optimizer = optimizer
        self.every = settings["update_freq"]
        self.epochs = settings["epochs"]

    def fit(self, train: DataLoader, valid: DataLoader) -> None:
        self.task.model.train()
        for epoch in range(self.epochs):
            batches = len(train)
            for i, batch in enumerate(train):
                self.task.training_step(batch, scale=1.0 / self.every)
                if (i + 1) % self.every == 0 or i + 1 == batches:
                    nn.utils.clip_grad_norm_(self.task.model.parameters(), 1.0)
                    self.optimizer.step()
            print(epoch, self.task.evaluate(valid))


def build(model: nn.Module, settings: dict[str, Any]) -> Runner:
    task = BaseTask(model, nn.SmoothL1Loss(), torch.device("cuda"))
    return Runner(task, torch.optim.AdamW(model.parameters(), lr=settings["lr"]), settings)
