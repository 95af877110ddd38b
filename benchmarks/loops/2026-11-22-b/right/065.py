from collections import deque

import torch
from torch import nn


class Delayed:
    """Keeps device scalars for a while so that reading them does not block."""

    def __init__(self, lag: int):
        self.queue: deque[tuple[int, torch.Tensor]] = deque()
        self.lag = lag

    def push(self, step: int, value: torch.Tensor):
        self.queue.append((step, value))
        if len(self.queue) > self.lag:
            then, old = self.queue.popleft()
            return then, old.item()
        return None


class LossMeter:
    def __init__(self, device):
        self.total = torch.zeros((), device=device)
        self.n = 0

    @torch.no_grad()
    def add(self, value: torch.Tensor) -> None:
        self.total += value
        self.n += 1

    def read(self) -> float:
        mean = (self.total / max(self.n, 1)).item()
        self.total.zero_()
        self.n = 0
        return mean


def train(model: nn.Module, batches, *, steps: int, lr: float = 1e-3, log_every: int = 200):
    device = next(model.parameters()).device
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    meter, delayed = LossMeter(device), Delayed(lag=8)
    average = torch.zeros((), device=device)
    model.train()
    for step in range(steps):
        x, y = next(batches)
        loss = nn.functional.mse_loss(model(x.to(device)), y.to(device))
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 2.0)
        optimizer.step()

        meter.add(loss)
        average = torch.lerp(average, loss.detach(), 0.02)
        late = delayed.push(step, norm)
        if late is not None and late[0] % log_every == 0:
            print("norm of step", *late)
        if (step + 1) % log_every == 0:
            print(step + 1, meter.read(), average.item())
    return model
