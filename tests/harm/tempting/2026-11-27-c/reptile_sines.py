import copy
import math

import torch
from torch import nn

INNER, META = 4, 6


def task(generator):
    amplitude = 0.5 + 2 * torch.rand(1, generator=generator)
    phase = math.pi * torch.rand(1, generator=generator)

    def draw(n):
        x = 10 * torch.rand(n, 1, generator=generator) - 5
        return x, amplitude * torch.sin(x + phase)

    return draw


def adapt(slow, draw, lr):
    fast = copy.deepcopy(slow)
    inner = torch.optim.SGD(fast.parameters(), lr=lr)
    for _ in range(INNER):
        x, y = draw(10)
        inner.zero_grad()
        nn.functional.mse_loss(fast(x), y).backward()
        inner.step()
    return fast


def train(record):
    torch.manual_seed(41)
    generator = torch.Generator().manual_seed(42)
    slow = nn.Sequential(nn.Linear(1, 32), nn.Tanh(), nn.Linear(32, 1))
    meta = torch.optim.Adam(slow.parameters(), lr=0.01)
    for epoch in range(3):
        for _ in range(META):
            learners = [adapt(slow, task(generator), 0.02) for _ in range(2)]
            for p, *fast in zip(slow.parameters(), *(learner.parameters() for learner in learners)):
                p.grad = sum(p.detach() - q.detach() for q in fast) / len(fast)
            meta.step()
            record(list(slow.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
