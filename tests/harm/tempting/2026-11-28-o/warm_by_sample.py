import math

import torch
from torch import nn

UPDATES, WINDOW, SIZE = 20, 4, 6
# everything of the schedule is told in micro-batches
RAMP = 3 * WINDOW
LENGTH = UPDATES * WINDOW


def factor(micro):
    if micro < RAMP:
        return (micro + 1) / RAMP
    return 0.5 * (1 + math.cos(math.pi * (micro - RAMP) / (LENGTH - RAMP)))


def make_batch(gen):
    x = torch.randn(SIZE, 2, 8, generator=gen)
    return x, x.mean(dim=2).softmax(1)


def train(record):
    torch.manual_seed(14)
    gen = torch.Generator().manual_seed(15)
    net = nn.Sequential(nn.Conv1d(2, 4, 3), nn.ReLU(), nn.Flatten(), nn.Linear(24, 2))
    opt = torch.optim.AdamW(net.parameters(), lr=2e-2)
    ramp = torch.optim.lr_scheduler.LambdaLR(opt, factor)
    for _ in range(UPDATES):
        batches = [make_batch(gen) for _ in range(WINDOW)]
        losses = 0.0
        for x, y in batches[:-1]:
            loss = nn.functional.cross_entropy(net(x), y) / WINDOW
            loss.backward()
            losses += loss.item()
        x, y = batches[-1]
        loss = nn.functional.cross_entropy(net(x), y) / WINDOW
        loss.backward()
        opt.step()
        record(list(net.parameters()))
        opt.zero_grad()
        for _ in batches:
            ramp.step()
    return losses


if __name__ == "__main__":
    train(lambda parameters: None)
