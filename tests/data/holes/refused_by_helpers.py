# === a helper refuses what another one returns where nobody knows what a batch is; an epoch goes on in evaluation mode
import torch
from torch.nn import functional as F


def labels_of(batch):
    if isinstance(batch, dict):
        return batch["labels"]
    if isinstance(batch, (tuple, list)) and len(batch) > 1:
        return batch[1]
    return None


def loss_of(outputs, labels=None):
    if labels is None:
        raise RuntimeError("no labels")
    return F.cross_entropy(outputs, labels)


def evaluate(model, loader):
    model.eval()
    with torch.no_grad():
        return sum(model(batch).sum().item() for batch in loader)


def train(model, loader, val, optimizer, epochs, every):
    step = 0
    for _ in range(epochs):
        model.train()
        for batch in loader:
            optimizer.zero_grad()
            loss_of(model(batch), labels_of(batch)).backward()
            optimizer.step()
            step += 1
            if step % every == 0:
                print(evaluate(model, val))  # <- missing-train-mode


# === right: it goes back to training
import torch
from torch.nn import functional as F


def labels_of(batch):
    if hasattr(batch, "labels"):
        return batch.labels
    return None


def loss_of(outputs, labels=None):
    if labels is None:
        raise RuntimeError("no labels")
    return F.cross_entropy(outputs, labels)


def evaluate(model, loader):
    model.eval()
    with torch.no_grad():
        total = sum(model(batch).sum().item() for batch in loader)
    model.train()
    return total


def train(model, loader, val, optimizer, epochs, every):
    step = 0
    for _ in range(epochs):
        model.train()
        for batch in loader:
            optimizer.zero_grad()
            loss_of(model(batch), labels_of(batch)).backward()
            optimizer.step()
            step += 1
            if step % every == 0:
                print(evaluate(model, val))


# === what no network in sight has computed either way is judged as it was
import torch


def loss_of(batch, kind=None):
    if kind is None:
        raise RuntimeError("no kind")
    return kind


def train(model, loader, optimizer):
    for batch in loader:
        optimizer.zero_grad()
        loss_of(batch).backward()
        optimizer.step()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # <- clip-after-step
