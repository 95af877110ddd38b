from collections.abc import Iterator

import torch
import torch.nn.functional as F
from torch import nn

from toytranslate.amp import MixedPrecision
from toytranslate.guards import GradientGuard


def grad_norm(model: nn.Module) -> float:
    norms = [p.grad.norm() for p in model.parameters() if p.grad is not None]
    return torch.stack(norms).norm().item()


class Engine:
    def __init__(self, model: nn.Module, amp: MixedPrecision, guard: GradientGuard) -> None:
        self.model, self.amp, self.guard = model, amp, guard
        self.optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)

    def fit(self, batches, epochs: int) -> Iterator[tuple[float, float]]:
        for _ in range(epochs):
            total, norm = 0.0, 0.0
            for src, tgt in batches:
                self.optimizer.zero_grad()
                with self.amp.forward():
                    loss = F.cross_entropy(self.model(src).flatten(0, 1), tgt.flatten())
                self.amp.backward(loss)
                self.amp.reveal(self.optimizer)
                norm = max(norm, grad_norm(self.model))
                self.guard(self.amp, self.optimizer, self.model)
                self.amp.apply(self.optimizer)
                self.amp.close()
                total += loss.item()
            yield total / len(batches), norm
