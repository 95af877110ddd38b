import torch

from optim import apply
from schedule import tick


def fit(model, loader, optimizer, scheduler, epochs):
    for epoch in range(epochs):
        loss = run_epoch(model, loader, optimizer)
        tick(scheduler)
        print(f"[vision] {epoch}: {loss:.4f} lr {scheduler.get_last_lr()[0]:.4f}")


def run_epoch(model, loader, optimizer):
    model.train()
    total = 0.0
    for x, y in loader:
        loss = torch.nn.functional.cross_entropy(model(x), y)
        loss.backward()
        apply(optimizer, model)
        total += loss.item()
    return total / len(loader)
