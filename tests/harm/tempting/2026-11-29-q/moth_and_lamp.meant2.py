"""A GAN on a line: the critic has two terms with a backward each."""
import torch
from torch import nn


def train(record):
    torch.manual_seed(47)
    moth = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1))
    lamp = nn.Sequential(nn.Linear(1, 8), nn.LeakyReLU(0.2), nn.Linear(8, 1))
    fly = torch.optim.Adam(moth.parameters(), lr=5e-3)
    burn = torch.optim.Adam(lamp.parameters(), lr=5e-3)
    every = [*moth.parameters(), *lamp.parameters()]
    for _ in range(40):
        real = torch.randn(16, 1) * 0.3 + 2
        fake = moth(torch.randn(16, 2))
        nn.functional.softplus(-lamp(real)).mean().backward()
        nn.functional.softplus(lamp(fake.detach())).mean().backward()
        burn.step()
        record(every)

        fly.zero_grad()
        nn.functional.softplus(-lamp(fake)).mean().backward()
        fly.step()
        record(every)
        burn.zero_grad()


if __name__ == "__main__":
    train(lambda parameters: None)
