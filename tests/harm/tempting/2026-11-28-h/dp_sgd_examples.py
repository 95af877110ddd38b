"""Differentially private SGD, one example at a time."""
import torch
from torch import nn
from torch.nn import functional as F

CLIP = 0.7
NOISE = 0.3
BATCH = 12


def private_gradient(model, params, xs, ys, generator):
    summed = [torch.zeros_like(p) for p in params]
    for x, y in zip(xs, ys):
        model.zero_grad()
        F.cross_entropy(model(x[None]), y[None]).backward()
        nn.utils.clip_grad_norm_(params, CLIP)
        for total, p in zip(summed, params):
            total.add_(p.grad)
    return [
        (total + NOISE * CLIP * torch.randn(total.shape, generator=generator)) / len(xs)
        for total in summed
    ]


def train(record):
    torch.manual_seed(5)
    noise = torch.Generator().manual_seed(99)
    xs = torch.randn(96, 5)
    ys = (xs.sum(1) > 0).long()
    model = nn.Sequential(nn.Linear(5, 8), nn.Tanh(), nn.Linear(8, 2))
    params = list(model.parameters())
    optimizer = torch.optim.SGD(params, lr=0.5)
    for _ in range(10):
        chosen = torch.randperm(len(xs))[:BATCH]
        grads = private_gradient(model, params, xs[chosen], ys[chosen], noise)
        for p, g in zip(params, grads):
            p.grad = g
        optimizer.step()
        record(params)


if __name__ == "__main__":
    train(lambda parameters: None)
