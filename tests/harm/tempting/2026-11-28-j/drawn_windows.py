"""Windows of a drawn length: the noise of the gradient changes from update to update."""
import random

import torch
from torch import nn


def lengths(seed):
    rng = random.Random(seed)
    while True:
        yield 1 + min(int(rng.expovariate(0.5)), 5)


def stream(seed):
    g = torch.Generator().manual_seed(seed)
    slope = torch.tensor([[1.0], [-2.0], [0.5]])
    while True:
        x = torch.randn(8, 3, generator=g)
        yield x, x @ slope + 0.2 * torch.randn(8, 1, generator=g)


def train(record, updates=25):
    torch.manual_seed(5)
    model = nn.Sequential(nn.Linear(3, 10), nn.SiLU(), nn.Linear(10, 1))
    optimizer = torch.optim.RMSprop(model.parameters(), lr=3e-3)
    drawn, batches = lengths(1), stream(2)
    window = left = next(drawn)
    done = 0
    while done < updates:
        x, y = next(batches)
        loss = nn.functional.huber_loss(model(x), y)
        (loss / window).backward()
        left -= 1
        if left > 0:
            continue
        optimizer.step()
        record(list(model.parameters()))
        optimizer.zero_grad()
        done += 1
        window = left = next(drawn)


if __name__ == "__main__":
    train(lambda parameters: None)
