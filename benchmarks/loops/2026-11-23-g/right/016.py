"""Adversarial training; robustness is measured with an attack, which needs gradients although the model is in eval mode."""
import torch
import torch.nn as nn
import torch.nn.functional as F

EPS, ALPHA, ITERS = 0.1, 0.04, 3


def pgd(model, x, y):
    delta = torch.empty_like(x).uniform_(-EPS, EPS)
    for _ in range(ITERS):
        delta.requires_grad_(True)
        (grad,) = torch.autograd.grad(F.cross_entropy(model(x + delta), y), delta)
        delta = (delta.detach() + ALPHA * grad.sign()).clamp(-EPS, EPS)
    return (x + delta).detach()


def robust_accuracy(model, x, y):
    model.eval()
    adv = pgd(model, x, y)
    with torch.no_grad():
        return (model(adv).argmax(1) == y).float().mean().item()


def train(model, optimizer, batches):
    for x, y in batches:
        model.eval()
        adv = pgd(model, x, y)
        model.train()
        optimizer.zero_grad()
        loss = F.cross_entropy(model(adv), y)
        loss.backward()
        optimizer.step()
    return loss.item()


def main():
    torch.manual_seed(3)
    y = torch.arange(80) % 2
    x = torch.rand(80, 1, 6, 6) * 0.5 + y.view(-1, 1, 1, 1) * 0.3
    batches = list(zip(x[:64].split(16), y[:64].split(16)))
    model = nn.Sequential(nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Flatten(), nn.Dropout(0.1), nn.Linear(64, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    for epoch in range(3):
        loss = train(model, optimizer, batches)
        print(f"epoch {epoch} loss {loss:.4f} robust {robust_accuracy(model, x[64:], y[64:]):.3f}")


main()
