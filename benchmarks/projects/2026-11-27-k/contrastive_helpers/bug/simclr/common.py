from typing import Callable

import torch

Objective = Callable[..., torch.Tensor]


def forward_backward(model, optimizer, objective: Objective, batch, weight: float = 1.0) -> float:
    optimizer.zero_grad()
    loss = objective(model, *batch)
    (weight * loss).backward()
    return loss.item()
