"""Sharpness-aware training with one perturbation for every micro-batch."""
import torch
from torch import nn
from torch.nn import functional as F

RHO, MICRO = 0.05, 4


@torch.no_grad()
def climb(params):
    norm = torch.stack([p.grad.norm() for p in params]).norm() + 1e-12
    moves = [p.grad * (RHO / norm) for p in params]
    for p, m in zip(params, moves):
        p.add_(m)
    return moves


@torch.no_grad()
def descend(params, moves):
    for p, m in zip(params, moves):
        p.sub_(m)


def train(record):
    torch.manual_seed(29)
    net = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 3))
    params = list(net.parameters())
    opt = torch.optim.SGD(params, lr=0.2)
    for _ in range(8):
        x = torch.randn(32, 4)
        y = x[:, :3].argmax(1)
        sums = [torch.zeros_like(p) for p in params]
        for xs, ys in zip(x.chunk(MICRO), y.chunk(MICRO)):
            F.cross_entropy(net(xs), ys).backward()
            moves = climb(params)
            opt.zero_grad()
            F.cross_entropy(net(xs), ys).backward()
            descend(params, moves)
            for s, p in zip(sums, params):
                s.add_(p.grad, alpha=1 / MICRO)
            opt.zero_grad()
        for s, p in zip(sums, params):
            p.grad = s
        opt.step()
        record(params)
        opt.zero_grad()


if __name__ == "__main__":
    train(lambda parameters: None)
