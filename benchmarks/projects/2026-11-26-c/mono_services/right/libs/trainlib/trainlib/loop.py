from typing import Callable, Iterable

import torch
from torch import Tensor, nn
from torch.optim import Optimizer

from .meters import Mean

Objective = Callable[[nn.Module, tuple], Tensor]


def run_epoch(model: nn.Module, batches: Iterable, objective: Objective, optimizer: Optimizer,
              window: int, max_norm: float = 1.0) -> tuple[float, int]:
    """Returns the mean objective and the number of batches that still wait for an update."""
    model.train()
    mean = Mean()
    waiting = 0
    for batch in batches:
        value = objective(model, batch)
        value.backward()
        mean.add(value.detach())
        waiting += 1
        if waiting == window:
            apply(model, optimizer, max_norm)
            waiting = 0
    return mean.value(), waiting


def apply(model: nn.Module, optimizer: Optimizer, max_norm: float) -> None:
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)


def flush(model: nn.Module, optimizer: Optimizer, waiting: int, max_norm: float = 1.0) -> None:
    if waiting:
        apply(model, optimizer, max_norm)


def evaluate(model: nn.Module, batches: Iterable, metric: Objective) -> float:
    model.eval()
    mean = Mean()
    with torch.no_grad():
        for batch in batches:
            mean.add(metric(model, batch))
    return mean.value()
