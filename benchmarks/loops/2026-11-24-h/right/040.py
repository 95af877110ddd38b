"""Adversarial robustness: accuracy is measured under an input attack."""
import torch
import torch.nn as nn
import torch.nn.functional as F

EPS, STEPS = 0.15, 3


def attack(net, x, y):
    delta = torch.zeros_like(x).uniform_(-EPS, EPS)
    for _ in range(STEPS):
        delta.requires_grad_(True)
        g, = torch.autograd.grad(F.cross_entropy(net(x + delta), y), delta)
        delta = (delta.detach() + 0.5 * EPS * g.sign()).clamp(-EPS, EPS)
    return (x + delta).detach()


def robust_accuracy(net, batches):
    net.eval()
    ok = n = 0
    for x, y in batches:
        x_adv = attack(net, x, y)
        with torch.no_grad():
            ok += (net(x_adv).argmax(1) == y).sum().item()
        n += len(y)
    return ok / n


def fit(net, train, test, epochs):
    opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    for ep in range(epochs):
        for x, y in train:
            net.eval()
            x_adv = attack(net, x, y)
            net.train()
            opt.zero_grad()
            loss = F.cross_entropy(net(x_adv), y)
            loss.backward()
            opt.step()
        print(f"epoch {ep} loss {loss.item():.3f} robust {robust_accuracy(net, test):.3f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    y = torch.randint(0, 3, (150,))
    x = torch.randn(150, 10) * 0.4
    x[torch.arange(150), y] += 1.0
    net = nn.Sequential(nn.Linear(10, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, 3))
    pairs = list(zip(x.split(25), y.split(25)))
    fit(net, pairs[:4], pairs[4:], 4)
