"""Reptile on sine waves: the way that the fast weights went is the gradient of the slow ones."""
import copy
import math

import torch
from torch import nn


def task(generator):
    amplitude = 0.5 + 2 * torch.rand(1, generator=generator)
    phase = math.pi * torch.rand(1, generator=generator)

    def sample(n):
        x = 10 * torch.rand(n, 1, generator=generator) - 5
        return x, amplitude * torch.sin(x + phase)

    return sample


def adapt(slow, sample, steps, rate):
    fast = copy.deepcopy(slow)
    inner = torch.optim.SGD(fast.parameters(), lr=rate)
    for _ in range(steps):
        x, y = sample(8)
        inner.zero_grad()
        nn.functional.mse_loss(fast(x), y).backward()
        inner.step()
    return fast


def train(record, rounds=8, tasks=3):
    torch.manual_seed(23)
    generator = torch.Generator().manual_seed(23)
    slow = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1))
    outer = torch.optim.Adam(slow.parameters(), lr=0.02)
    for number in range(rounds):
        adapted = []
        for _ in range(tasks):
            sample = task(generator)
            adapted.append(adapt(slow, sample, steps=4, rate=0.02))
        x, y = sample(16)
        before = nn.functional.mse_loss(slow(x), y)
        # how far the slow weights are from the last task, for the log
        before.backward()
        steep = sum(p.grad.norm().item() for p in slow.parameters())
        outer.zero_grad()
        for p, *others in zip(slow.parameters(), *(fast.parameters() for fast in adapted)):
            p.grad = p.detach() - torch.stack([q.detach() for q in others]).mean(0)
        outer.step()
        record(list(slow.parameters()))
        print(number, f"{before.item():.4f} {steep:.3f}")


if __name__ == "__main__":
    train(lambda parameters: None)
