"""Second-order MAML on sine curves."""
import math

import torch
from torch import nn
from torch.func import functional_call
from torch.nn import functional as F

INNER_LR = 0.05
TASKS = 4


def sample_task(generator):
    amplitude = 0.5 + 2 * torch.rand(1, generator=generator)
    phase = math.pi * torch.rand(1, generator=generator)

    def draw(n):
        x = 10 * torch.rand(n, 1, generator=generator) - 5
        return x, amplitude * torch.sin(x + phase)

    return draw


def adapt(net, weights, x, y, turns):
    for _ in range(turns):
        loss = F.mse_loss(functional_call(net, weights, (x,)), y)
        grads = torch.autograd.grad(loss, list(weights.values()), create_graph=True)
        weights = {k: w - INNER_LR * g for (k, w), g in zip(weights.items(), grads)}
    return weights


def train(record):
    torch.manual_seed(2)
    generator = torch.Generator().manual_seed(5)
    net = nn.Sequential(nn.Linear(1, 20), nn.Tanh(), nn.Linear(20, 1))
    meta = torch.optim.Adam(net.parameters(), lr=3e-3)
    for _ in range(15):
        total = 0.0
        for _ in range(TASKS):
            draw = sample_task(generator)
            fast = adapt(net, dict(net.named_parameters()), *draw(10), turns=2)
            x, y = draw(10)
            total += F.mse_loss(functional_call(net, fast, (x,)), y)
        meta.zero_grad()
        (total / TASKS).backward()
        meta.step()
        record(list(net.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
