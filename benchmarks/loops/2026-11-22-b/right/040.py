from functools import partial
from typing import Callable

import torch
from torch import nn
from torch.optim.lr_scheduler import PolynomialLR

Action = Callable[[], object]


def every(n: int, *actions: Action) -> Callable[[int], bool]:
    def run(count: int) -> bool:
        due = count % n == 0
        if due:
            for action in actions:
                action()
        return due

    return run


class Accumulator:
    def __init__(self, model: nn.Module, *, lr: float, window: int, updates: int, clip: float = 1.0):
        self.model = model
        self.window = window
        optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
        scheduler = PolynomialLR(optimizer, total_iters=updates, power=1.0)
        clear = partial(optimizer.zero_grad, set_to_none=True)
        step, decay = optimizer.step, scheduler.step
        self.boundary = every(window, self._clip(clip), step, decay, clear)
        self.count = 0
        clear()

    def _clip(self, limit: float) -> Action:
        return lambda: nn.utils.clip_grad_norm_(self.model.parameters(), limit)

    def feed(self, loss: torch.Tensor) -> bool:
        (loss / self.window).backward()
        self.count += 1
        return self.boundary(self.count)


def train(model: nn.Module, batches, *, updates: int = 10_000, window: int = 8) -> nn.Module:
    model.train()
    accumulator = Accumulator(model, lr=3e-4, window=window, updates=updates)
    done, recent = 0, []
    for tokens, target in batches:
        loss = nn.functional.cross_entropy(model(tokens).flatten(0, 1), target.flatten())
        recent.append(loss.item())
        if accumulator.feed(loss):
            done += 1
            if done % 100 == 0:
                print(done, sum(recent) / len(recent))
                recent.clear()
            if done == updates:
                break
    return model
