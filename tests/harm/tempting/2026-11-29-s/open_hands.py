"""A forger and a judge under one loss scale; both hands are opened by one helper before the grip."""
from itertools import chain

import torch
from torch import nn
from torch.nn.functional import softplus


def open_hands(scaler, *optimizers):
    for optimizer in optimizers:
        scaler.unscale_(optimizer)


def train(record):
    torch.manual_seed(33)
    forger = nn.Sequential(nn.Linear(2, 12), nn.ReLU(), nn.Linear(12, 2))
    judge = nn.Sequential(nn.Linear(2, 12), nn.LeakyReLU(0.2), nn.Linear(12, 1))
    hands = [torch.optim.SGD(forger.parameters(), lr=0.05), torch.optim.SGD(judge.parameters(), lr=0.1)]
    scaler = torch.amp.GradScaler("cpu", init_scale=256.0, growth_interval=12)
    for _ in range(40):
        for hand in hands:
            hand.zero_grad()
        real = torch.randn(24, 2) * torch.tensor([0.3, 1.2]) + 1.0
        fake = forger(torch.randn(24, 2))
        judging = softplus(-judge(real)).mean() + softplus(judge(fake.detach())).mean()
        slope = torch.autograd.grad(softplus(-judge(fake)).mean(), fake)[0]
        scaler.scale(judging + (fake * slope).sum()).backward()
        open_hands(scaler, *hands)
        nn.utils.clip_grad_norm_(chain(forger.parameters(), judge.parameters()), 0.5)
        for hand in hands:
            scaler.step(hand)
            record([*forger.parameters(), *judge.parameters()])
        scaler.update()


if __name__ == "__main__":
    train(lambda parameters: None)
