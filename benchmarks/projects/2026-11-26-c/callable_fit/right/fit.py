from typing import Callable, Iterable, Optional

import torch
from torch import nn

Event = Optional[Callable[[nn.Module], None]]


def _emit(event: Event, model: nn.Module) -> None:
    if event is not None:
        event(model)


def fit(
    model: nn.Module,
    batches: Iterable,
    optimizer: torch.optim.Optimizer,
    objective: Callable[..., torch.Tensor],
    *,
    accumulate: int = 1,
    after_backward: Event = None,
    before_step: Event = None,
    after_step: Event = None,
) -> float:
    """One pass over the batches; the events are called with the model."""
    model.train()
    optimizer.zero_grad(set_to_none=True)
    n = len(batches)
    total = 0.0
    for i, (x, y) in enumerate(batches, start=1):
        loss = objective(model(x), y)
        (loss / accumulate).backward()
        _emit(after_backward, model)
        total += loss.item()
        if i % accumulate == 0 or i == n:
            _emit(before_step, model)
            optimizer.step()
            _emit(after_step, model)
            optimizer.zero_grad(set_to_none=True)
    return total / n


@torch.no_grad()
def measure(model: nn.Module, batches: Iterable, metric: Callable[..., torch.Tensor]) -> float:
    model.eval()
    values = [metric(model(x), y).item() for x, y in batches]
    return sum(values) / len(values)
