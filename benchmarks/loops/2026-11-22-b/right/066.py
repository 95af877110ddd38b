from typing import Iterator

import torch
from torch import Tensor, nn
from torch.optim import Optimizer
from torch.optim.lr_scheduler import LRScheduler, OneCycleLR


def plan(optimizer: Optimizer, peak: float, total: int) -> LRScheduler:
    return OneCycleLR(optimizer, peak, total_steps=total, pct_start=0.3, anneal_strategy="cos")


def lr_of(optimizer: Optimizer) -> float:
    return optimizer.param_groups[0]["lr"]


class Loop:
    def __init__(self, model: nn.Module, loss_fn, peak: float, total: int) -> None:
        self.model = model
        self.loss_fn = loss_fn
        self.total = total
        self.optimizer = torch.optim.SGD(model.parameters(), lr=peak / 25, momentum=0.95)
        self.schedule = plan(self.optimizer, peak, total)
        self.done = 0

    def begin(self) -> None:
        if self.done > 0:
            self.schedule.step()
        self.optimizer.zero_grad()

    def end(self, loss: Tensor) -> None:
        self.done += 1
        if self.done % 50 == 0:
            print(f"{self.done}/{self.total} lr {lr_of(self.optimizer):.2e} loss {loss.item():.4f}")

    def run(self, batches: Iterator[tuple[Tensor, Tensor]]) -> None:
        self.model.train()
        while self.done < self.total:
            x, y = next(batches)
            self.begin()
            loss = self.loss_fn(self.model(x), y)
            loss.backward()
            self.optimizer.step()
            self.end(loss)


def forever(loader) -> Iterator[tuple[Tensor, Tensor]]:
    while True:
        yield from loader


def main(model: nn.Module, loader, epochs: int = 12) -> nn.Module:
    loop = Loop(model, nn.CrossEntropyLoss(label_smoothing=0.05), peak=0.4, total=epochs * len(loader))
    loop.run(forever(loader))
    return model
