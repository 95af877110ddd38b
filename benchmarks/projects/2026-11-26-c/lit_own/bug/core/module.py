from abc import ABC, abstractmethod

import torch
from torch import Tensor, nn


class TrainModule(nn.Module, ABC):
    def __init__(self):
        super().__init__()
        self.logged: dict[str, list[float]] = {}
        self.schedulers: list = []

    @abstractmethod
    def training_step(self, batch, batch_idx: int) -> Tensor:
        ...

    def validation_step(self, batch, batch_idx: int) -> None:
        pass

    @abstractmethod
    def configure_optimizers(self):
        ...

    def optimizer_step(self, optimizer: torch.optim.Optimizer) -> None:
        optimizer.step()
        optimizer.zero_grad()

    def on_train_epoch_start(self) -> None:
        self.logged.clear()
        for scheduler in self.schedulers:
            scheduler.step()

    def on_train_epoch_end(self) -> None:
        pass

    def on_validation_epoch_end(self) -> None:
        pass

    def log(self, name: str, value: Tensor) -> None:
        self.logged.setdefault(name, []).append(float(value))

    def mean(self, name: str) -> float:
        values = self.logged.get(name, [])
        return sum(values) / max(len(values), 1)
