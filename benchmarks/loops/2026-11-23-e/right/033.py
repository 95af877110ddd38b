import torch
import torch.nn.functional as F
from torch import nn

EPS, ALPHA, STEPS = 0.2, 0.08, 3


def pgd(model, x, y):
    delta = torch.empty_like(x).uniform_(-EPS, EPS)
    for _ in range(STEPS):
        delta.requires_grad_(True)
        loss = F.cross_entropy(model(x + delta), y)
        (grad,) = torch.autograd.grad(loss, delta)
        delta = (delta + ALPHA * grad.sign()).clamp(-EPS, EPS).detach()
    return (x + delta).detach()


def robust_accuracy(model, x, y):
    model.eval()
    x_adv = pgd(model, x, y)
    with torch.no_grad():
        return (model(x_adv).argmax(-1) == y).float().mean().item()


@torch.no_grad()
def clean_accuracy(model, x, y):
    model.eval()
    return (model(x).argmax(-1) == y).float().mean().item()


def main():
    torch.manual_seed(0)
    x = torch.randn(320, 10)
    y = (x[:, :5].sum(1) > x[:, 5:].sum(1)).long()
    model = nn.Sequential(nn.Linear(10, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    for epoch in range(3):
        for idx in torch.randperm(256).split(32):
            model.eval()
            x_adv = pgd(model, x[idx], y[idx])
            model.train()
            loss = F.cross_entropy(model(x_adv), y[idx])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        clean = clean_accuracy(model, x[256:], y[256:])
        robust = robust_accuracy(model, x[256:], y[256:])
        print(f"epoch {epoch} loss {loss.item():.3f} clean {clean:.2f} robust {robust:.2f}")


main()
