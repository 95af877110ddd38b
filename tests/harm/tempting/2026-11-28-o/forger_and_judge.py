"""Hinge GAN on a ring, two forgeries for each verdict."""
import math

import torch
from torch import nn


def ring(n):
    angle = 2 * math.pi * torch.rand(n)
    return torch.stack([angle.cos(), angle.sin()], dim=1)


def mlp(size_in, size_out):
    return nn.Sequential(nn.Linear(size_in, 16), nn.LeakyReLU(0.2), nn.Linear(16, size_out))


def train(record):
    torch.manual_seed(1)
    forger, judge = mlp(3, 2), mlp(2, 1)
    forger_opt = torch.optim.Adam(forger.parameters(), lr=1e-3, betas=(0.5, 0.9))
    judge_opt = torch.optim.SGD(judge.parameters(), lr=0.02)
    relu = nn.functional.relu
    for _ in range(30):
        real, fake = ring(24), forger(torch.randn(24, 3)).detach()
        verdict = relu(1 - judge(real)).mean() + relu(1 + judge(fake)).mean()
        verdict.backward()
        judge_opt.step()
        record(list(judge.parameters()))
        for _ in range(2):
            forger_opt.zero_grad()
            praise = judge(forger(torch.randn(24, 3))).mean()
            (-praise).backward()
            forger_opt.step()
            record(list(forger.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
