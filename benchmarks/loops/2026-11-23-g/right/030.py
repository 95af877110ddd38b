"""Survival model (Cox-like ranking) trained on windows; a failed run resumes in the middle of an epoch."""
from itertools import islice

import torch
import torch.nn as nn


def windows(iterable, size):
    it = iter(iterable)
    while window := tuple(islice(it, size)):
        yield window


def patients(epoch, n=66, per=6):
    g = torch.Generator().manual_seed(100 + epoch)
    x = torch.randn(n, 4, generator=g)
    t = torch.exp(-x[:, 0]) * torch.rand(n, generator=g)
    return list(zip(x.split(per), t.split(per)))


def ranking_loss(risk, time):
    earlier = time[:, None] < time[None, :]
    return nn.functional.softplus(risk[None, :] - risk[:, None])[earlier].mean()


def fit(model, state, epochs=3, size=4):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.3)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1, 0.7)
    for _ in range(state["epoch"]):
        optimizer.step()  # nothing to apply: only keeps the order for the schedule
        scheduler.step()
    for epoch in range(state["epoch"], epochs):
        todo = list(windows(patients(epoch), size))[state.pop("window", 0):]
        losses = []
        for window in todo:
            total = 0
            for x, t in window:
                total = total + ranking_loss(model(x).squeeze(1), t)
            mean = total / len(window)
            optimizer.zero_grad()
            mean.backward()
            optimizer.step()
            losses.append(mean.item())
        scheduler.step()
        print(f"epoch {epoch}: {len(todo)} windows, loss {sum(losses) / len(losses):.4f}")


torch.manual_seed(0)
fit(nn.Sequential(nn.Linear(4, 12), nn.ReLU(), nn.Linear(12, 1)), {"epoch": 1, "window": 1})
