from contextlib import contextmanager

import torch
import torch.nn.functional as F


@contextmanager
def evaluating(model):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            yield model
    finally:
        model.train(was_training)


def mean_loss(model, loader):
    with evaluating(model):
        losses = [F.cross_entropy(model(x), y).item() for x, y in loader]
    return sum(losses) / len(losses)


def train(model, train_loader, val_loader, *, steps=10_000, eval_every=250, lr=3e-4, patience=8):
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
    best, waited, step = float("inf"), 0, 0
    model.train()
    while step < steps and waited < patience:
        for x, y in train_loader:
            loss = F.cross_entropy(model(x), y)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            step += 1
            if step % eval_every == 0:
                val = mean_loss(model, val_loader)
                waited = 0 if val < best else waited + 1
                best = min(best, val)
                print(f"{step} train {loss.item():.4f} val {val:.4f} best {best:.4f}")
            if step == steps or waited == patience:
                break
    return best
