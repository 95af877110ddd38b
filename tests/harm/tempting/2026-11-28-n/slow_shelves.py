"""A shelving robot of a library: steps along a slow average of its gradients."""
import torch
from torch import nn
from torch.nn import functional as F


class SlowGradient:
    def __init__(self, parameters, keep=0.8):
        self.parameters, self.keep = list(parameters), keep
        self.mean = [torch.zeros_like(p) for p in self.parameters]

    def take(self):
        for mean, p in zip(self.mean, self.parameters):
            mean.mul_(self.keep).add_(p.grad, alpha=1 - self.keep)

    def give(self):
        for mean, p in zip(self.mean, self.parameters):
            p.grad = mean.clone() if p.grad is None else p.grad + mean


def shelf_batches(count):
    gen = torch.Generator().manual_seed(3)
    for _ in range(count):
        books = torch.randn(12, 5, generator=gen)
        yield books, (books[:, 0] > books[:, 1]).long()


def train(record):
    torch.manual_seed(0)
    arm = nn.Sequential(nn.Linear(5, 8), nn.Tanh(), nn.Linear(8, 2))
    optimizer = torch.optim.SGD(arm.parameters(), lr=0.4)
    slow = SlowGradient(arm.parameters())
    for books, shelf in shelf_batches(30):
        F.cross_entropy(arm(books), shelf).backward()
        slow.take()
        # the weights' own pull is never averaged
        optimizer.zero_grad()
        pull = 1e-3 * sum(p.pow(2).sum() for p in arm.parameters())
        pull.backward()
        slow.give()
        optimizer.step()
        record(list(arm.parameters()))
        optimizer.zero_grad()


if __name__ == "__main__":
    train(lambda parameters: None)
