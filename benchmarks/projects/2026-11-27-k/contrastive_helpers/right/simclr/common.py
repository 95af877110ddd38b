from typing import Callable

import torch

Objective = Callable[..., torch.Tensor]


def backward(model, objective: Objective, batch, weight: float = 1.0) -> float:
    loss = objective(model, *batch)
    (weight * loss).backward()
    return loss.item()


def forward_backward(model, optimizer, objective: Objective, batch) -> float:
    optimizer.zero_grad()
    return backward(model, objective, batch)
