import math

import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call

TASKS, SHOTS, INNER_LR = 4, 10, 0.05


def draw_task():
    amplitude = 0.5 + 2 * torch.rand(1)
    phase = math.pi * torch.rand(1)
    x = 6 * torch.rand(2 * SHOTS, 1) - 3
    y = amplitude * torch.sin(x + phase)
    return (x[:SHOTS], y[:SHOTS]), (x[SHOTS:], y[SHOTS:])


def adapt(net, support, steps=2):
    x, y = support
    fast = {name: p.detach().clone().requires_grad_() for name, p in net.named_parameters()}
    for _ in range(steps):
        loss = F.mse_loss(functional_call(net, fast, (x,)), y)
        grads = torch.autograd.grad(loss, list(fast.values()))
        fast = {
            name: (p - INNER_LR * g).detach().requires_grad_()
            for (name, p), g in zip(fast.items(), grads)
        }
    return fast


def train(record):
    torch.manual_seed(5)
    net = nn.Sequential(nn.Linear(1, 24), nn.Tanh(), nn.Linear(24, 1))
    meta = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.8)
    for epoch in range(2):
        for _ in range(8):
            for _ in range(TASKS):
                support, (x, y) = draw_task()
                fast = adapt(net, support)
                query = F.mse_loss(functional_call(net, fast, (x,)), y)
                query.backward()
                for p, q in zip(net.parameters(), fast.values()):
                    p.grad = q.grad if p.grad is None else p.grad + q.grad
            for p in net.parameters():
                p.grad.div_(TASKS)
            meta.step()
            record(list(net.parameters()))
            meta.zero_grad()


if __name__ == "__main__":
    train(lambda parameters: None)
