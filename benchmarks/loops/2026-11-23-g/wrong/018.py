from __future__ import annotations

import torch
import torch.nn as nn
from torch.amp import GradScaler, autocast


class Regressor(nn.Module):
    def __init__(self, d_in: int, d_hidden: int):
        super().__init__()
        self.l1 = nn.Linear(d_in, d_hidden)
        self.l2 = nn.Linear(d_hidden, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.l2(torch.tanh(self.l1(x)))[:, 0]


def set_lr(optimizer: torch.optim.Optimizer, value: float) -> None:
    for group in optimizer.param_groups:
        group["lr"] = value


def warmup(model, optimizer, scaler, batches, peak_lr: float) -> None:
    """One pass with a linearly growing learning rate."""
    for n, (x, y) in enumerate(batches, 1):
        set_lr(optimizer, peak_lr * n / len(batches))
        optimizer.zero_grad()
        with autocast("cpu", dtype=torch.float16):
            loss = nn.functional.l1_loss(model(x), y)
        scaler.scale(loss).backward()
        optimizer.step()
    print("warm-up done, loss", round(loss.item(), 4))


def train(model, optimizer, scaler, batches, epochs: int) -> None:
    for epoch in range(epochs):
        total = 0.0
        for x, y in batches:
            optimizer.zero_grad()
            with autocast("cpu", dtype=torch.float16):
                loss = nn.functional.l1_loss(model(x), y)
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
            total += loss.item()
        print(f"epoch {epoch} l1 {total / len(batches):.4f}")


def main() -> None:
    torch.manual_seed(77)
    x = torch.randn(96, 6)
    y = (x[:, 0] * 2 - x[:, 3]).tanh()
    batches = list(zip(x.split(16), y.split(16)))
    model = Regressor(6, 12).train()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
    scaler = GradScaler("cpu", init_scale=128.0)
    warmup(model, optimizer, scaler, batches, peak_lr=0.02)
    set_lr(optimizer, 0.02)
    train(model, optimizer, scaler, batches, epochs=2)


main()
