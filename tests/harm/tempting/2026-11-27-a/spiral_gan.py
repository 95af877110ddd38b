import math

import torch
from torch import nn, optim


class Generator(nn.Module):
    def __init__(self, noise=3):
        super().__init__()
        self.noise = noise
        self.body = nn.Sequential(nn.Linear(noise, 16), nn.LeakyReLU(0.2), nn.Linear(16, 2))

    def forward(self, count):
        return self.body(torch.randn(count, self.noise))


def spiral(count):
    t = torch.rand(count) * 2 * math.pi
    return torch.stack([t * t.cos(), t * t.sin()], 1) / 6


def hinge_d(real, fake):
    return (1 - real).relu().mean() + (1 + fake).relu().mean()


def train(record):
    torch.manual_seed(202)
    gen = Generator()
    disc = nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
    opt_g = optim.Adam(gen.parameters(), lr=2e-3, betas=(0.5, 0.9))
    opt_d = optim.Adam(disc.parameters(), lr=2e-3, betas=(0.5, 0.9))
    everything = [*gen.parameters(), *disc.parameters()]
    for epoch in range(3):
        for _ in range(6):
            real = spiral(24)
            fake = gen(24)
            loss_d = hinge_d(disc(real), disc(fake.detach()))
            loss_d.backward()
            opt_d.step()
            record(everything)

            opt_g.zero_grad()
            loss_g = -disc(fake).mean()
            loss_g.backward()
            opt_g.step()
            record(everything)


if __name__ == "__main__":
    train(lambda parameters: None)
