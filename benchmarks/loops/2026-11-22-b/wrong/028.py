from itertools import islice

import torch
from torch import Tensor, nn


class GroupedUpdate:
    def __init__(self, model: nn.Module, optimizer: torch.optim.Optimizer, group_size: int, max_norm: float = 0.5):
        self.model = model
        self.optimizer = optimizer
        self.group_size = group_size
        self.max_norm = max_norm

    def _accumulate(self, loss: Tensor) -> float:
        loss.div(self.group_size)
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), self.max_norm)
        return loss.item()

    def __call__(self, group: list[dict[str, Tensor]]) -> float:
        assert len(group) == self.group_size
        self.optimizer.zero_grad()
        total = 0.0
        for item in group:
            prediction = self.model(item["x"], item["mask"])
            error = nn.functional.huber_loss(prediction, item["y"])
            total += self._accumulate(error)
        self.optimizer.step()
        return total / len(group)


def groups(stream, size: int):
    iterator = iter(stream)
    while True:
        group = list(islice(iterator, size))
        if len(group) < size:
            return
        yield group


def train(model: nn.Module, stream, *, lr: float = 1e-4, group_size: int = 16) -> list[float]:
    model.train()
    optimizer = torch.optim.RAdam(model.parameters(), lr=lr)
    update = GroupedUpdate(model, optimizer, group_size)
    history = []
    for group in groups(stream, group_size):
        history.append(update(group))
        if len(history) % 100 == 0:
            recent = history[-100:]
            print(f"{len(history):6d} {sum(recent) / len(recent):.4f}")
    return history
