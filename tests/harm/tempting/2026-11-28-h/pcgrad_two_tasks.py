"""Gradient surgery for two regression tasks on a shared network."""
import torch
from torch import nn
from torch.nn import functional as F

STEPS = 24


class TwoHeads(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(6, 16), nn.Tanh())
        self.heads = nn.ModuleList([nn.Linear(16, 1), nn.Linear(16, 1)])

    def forward(self, x, task):
        return self.heads[task](self.trunk(x))


def stash(params):
    return [torch.zeros_like(p) if p.grad is None else p.grad.clone() for p in params]


def project(mine, other):
    dot = sum((a * b).sum() for a, b in zip(mine, other))
    if dot >= 0:
        return mine
    size = sum((b * b).sum() for b in other) + 1e-12
    return [a - dot / size * b for a, b in zip(mine, other)]


def train(record):
    torch.manual_seed(0)
    model = TwoHeads()
    params = list(model.parameters())
    optimizer = torch.optim.SGD(params, lr=0.05, momentum=0.9)
    for _ in range(STEPS):
        x = torch.randn(16, 6)
        targets = [x[:, :1] - x[:, 1:2], -x[:, :1] + x[:, 2:3]]
        grads = []
        for task, y in enumerate(targets):
            F.mse_loss(model(x, task), y).backward()
            grads.append(stash(params))
            optimizer.zero_grad()
        first = project(grads[0], grads[1])
        second = project(grads[1], grads[0])
        for p, a, b in zip(params, first, second):
            p.grad = a + b
        optimizer.step()
        record(params)
        optimizer.zero_grad()


if __name__ == "__main__":
    train(lambda parameters: None)
