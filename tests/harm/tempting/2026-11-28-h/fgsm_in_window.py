"""Adversarial training with FGSM; every update rests on four micro-batches."""
import torch
from torch import nn
from torch.nn import functional as F

ACCUM = 4
EPS = 0.1


def attack(model, x, y):
    probe = x.clone().requires_grad_()
    F.cross_entropy(model(probe), y).backward()
    moved = (x + EPS * probe.grad.sign()).detach()
    model.zero_grad()
    return moved


def robust_accuracy(model, x, y):
    moved = attack(model, x, y)
    with torch.no_grad():
        return (model(moved).argmax(1) == y).float().mean().item()


def rings(n):
    x = torch.randn(n, 2)
    return x, (x.norm(dim=1) > 1.18).long()


def train(record):
    torch.manual_seed(39)
    model = nn.Sequential(nn.Linear(2, 24), nn.ReLU(), nn.Linear(24, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.4, momentum=0.9)
    for update in range(12):
        optimizer.zero_grad()
        for _ in range(ACCUM):
            x, y = rings(16)
            worst = attack(model, x, y)
            (F.cross_entropy(model(worst), y) / ACCUM).backward()
        optimizer.step()
        record(list(model.parameters()))
        if update % 6 == 5:
            print(f"{update + 1}: {robust_accuracy(model, *rings(64)):.2f}")


if __name__ == "__main__":
    train(lambda parameters: None)
