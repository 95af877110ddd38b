from collections.abc import Iterable

import torch
from torch import Tensor, nn


def clip_gradients(parameters: Iterable[nn.Parameter], max_norm: float) -> float:
    norm: Tensor = torch.nn.utils.clip_grad_norm_(parameters, max_norm)
    return norm.item()
