from collections.abc import Iterable

import torch
from torch import Tensor, nn


@torch.no_grad()
def accuracy(model: nn.Module, batches: Iterable[tuple[Tensor, Tensor]]) -> float:
    model.eval()
    hits = total = 0
    for mels, labels in batches:
        hits += (model(mels).argmax(dim=1) == labels).sum().item()
        total += labels.numel()
    return hits / max(total, 1)
