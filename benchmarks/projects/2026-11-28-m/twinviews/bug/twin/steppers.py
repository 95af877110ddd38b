from typing import Callable

import torch

STEPPERS: dict[str, Callable[[torch.optim.Optimizer], "Plain"]] = {}


def stepper(cls):
    STEPPERS[cls.__name__.lower()] = cls
    return cls


@stepper
class Plain:
    def __init__(self, optimizer: torch.optim.Optimizer) -> None:
        self.optimizer = optimizer

    def open(self) -> None:
        self.optimizer.zero_grad()

    def close(self) -> None:
        self.optimizer.step()


@stepper
class Warm(Plain):
    def __init__(self, optimizer: torch.optim.Optimizer, updates: int = 10) -> None:
        super().__init__(optimizer)
        self.ramp = torch.optim.lr_scheduler.LinearLR(optimizer, 0.1, 1.0, total_iters=updates)

    def close(self) -> None:
        super().close()
        self.ramp.step()
