"""Lessons have weights of their own; the last window of an epoch may be short."""
import torch
from torch import nn

ACCUM = 3


def lesson_weights(n):
    ramp = torch.linspace(0.4, 1.6, n)
    return (ramp / ramp.mean()).tolist()


def lessons(x, y, size):
    return list(zip(x.split(size), y.split(size)))


def teach(pupil, adam, plan, weights, record):
    final = len(plan) - 1
    marks = []
    for i, (x, y) in enumerate(plan):
        guess = pupil(x)
        loss = weights[i] * nn.functional.mse_loss(guess, y)
        (loss / ACCUM).backward()
        marks.append((i, loss.item()))
        if not (i + 1) % ACCUM or i == final:
            adam.step()
            record(list(pupil.parameters()))
            adam.zero_grad()
    return marks


def train(record):
    torch.manual_seed(16)
    pupil = nn.Sequential(nn.Linear(4, 12), nn.ELU(), nn.Linear(12, 2))
    adam = torch.optim.Adam(pupil.parameters(), lr=0.01)
    x = torch.randn(66, 4)
    y = torch.stack([x[:, 0] * x[:, 1], x[:, 2].sin()], 1)
    plan = lessons(x, y, 6)
    weights = lesson_weights(len(plan))
    for epoch in range(2):
        marks = teach(pupil, adam, plan, weights, record)
        print(epoch, max(marks, key=lambda m: m[1]))


if __name__ == "__main__":
    train(lambda parameters: None)
