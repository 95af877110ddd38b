from __future__ import annotations


import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader

from .distributed import all_mean


def train_one_epoch(
    model: nn.Module, loader: DataLoader, optimizer: torch.optim.Optimizer, epoch: int, accum_steps: int,
) -> float:
    device = next(model.parameters()).device
    model.train()
    optimizer.zero_grad(set_to_none=True)
    total = torch.zeros((), device=device)
    for i, (images, labels) in enumerate(loader):
        images, labels = images.to(device), labels.to(device)
        boundary = (i + 1) % accum_steps == 0 or i + 1 == len(loader)
        loss = F.cross_entropy(model(images), labels)
        (loss / accum_steps).backward()
        total += loss.detach()
        if boundary:
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
    return all_mean(total / len(loader))


@torch.inference_mode()
def validate(model: nn.Module, loader: DataLoader) -> float:
    device = next(model.parameters()).device
    model.eval()
    hits = torch.zeros((), device=device)
    seen = torch.zeros((), device=device)
    for images, labels in loader:
        pred = model(images.to(device)).argmax(1)
        hits += (pred == labels.to(device)).sum()
        seen += len(labels)
    return all_mean(hits) / all_mean(seen)
