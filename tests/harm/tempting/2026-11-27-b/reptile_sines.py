# Reptile on sine waves
import copy
import math

import torch
from torch import nn, optim

INNER, TASKS = 4, 3


def sine_task():
    amplitude, phase = 0.5 + torch.rand(1), math.pi * torch.rand(1)

    def sample(n):
        x = 10 * torch.rand(n, 1) - 5
        return x, amplitude * torch.sin(x + phase)

    return sample


def adapt(net, sample, record):
    learner = copy.deepcopy(net)
    inner = optim.SGD(learner.parameters(), lr=0.03)
    for _ in range(INNER):
        x, y = sample(16)
        inner.zero_grad()
        nn.functional.mse_loss(learner(x), y).backward()
        inner.step()
        record([*net.parameters(), *learner.parameters()])
    return learner


def train(record):
    torch.manual_seed(8)
    net = nn.Sequential(nn.Linear(1, 24), nn.Tanh(), nn.Linear(24, 1))
    meta = optim.SGD(net.parameters(), lr=1.0, momentum=0.5)
    for _ in range(3):
        meta.zero_grad()
        for _ in range(TASKS):
            learner = adapt(net, sine_task(), record)
            with torch.no_grad():
                for p, q in zip(net.parameters(), learner.parameters()):
                    pull = (p - q) / TASKS
                    p.grad = pull if p.grad is None else p.grad + pull
        nn.utils.clip_grad_norm_(net.parameters(), 0.02)
        meta.step()
        record(list(net.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
