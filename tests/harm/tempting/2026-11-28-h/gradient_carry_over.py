"""Gradient carry-over: half of the last direction stays in .grad, bounded, and the new one is added.

A poor man's heavy ball for an optimizer that has no momentum of its own (Rprop-like, signed).
"""
import torch
from torch import nn
from torch.nn import functional as F

CARRY = 0.5
CARRY_NORM = 0.3


class SignDescent(torch.optim.Optimizer):
    def __init__(self, params, lr):
        super().__init__(params, {"lr": lr})

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    p.add_(torch.tanh(5 * p.grad), alpha=-group["lr"])


def carry(params):
    for p in params:
        if p.grad is not None:
            p.grad.mul_(CARRY)
    nn.utils.clip_grad_norm_(params, CARRY_NORM)


def train(record):
    torch.manual_seed(7)
    net = nn.Sequential(nn.Linear(3, 12), nn.SiLU(), nn.Linear(12, 1))
    params = list(net.parameters())
    optimizer = SignDescent(params, lr=0.01)
    for _ in range(40):
        x = torch.rand(32, 3)
        y = (x.prod(1, keepdim=True) * 4).sin()
        loss = F.mse_loss(net(x), y)
        carry(params)
        loss.backward()
        optimizer.step()
        record(params)


if __name__ == "__main__":
    train(lambda parameters: None)
