"""Generator against discriminator on a ring of points."""
import math

import torch
from torch import nn
from torch.nn import functional as F


class Duel:
    def __init__(self, z_dim=4, hidden=16):
        self.z_dim = z_dim
        self.G = nn.Sequential(nn.Linear(z_dim, hidden), nn.ReLU(), nn.Linear(hidden, 2))
        self.D = nn.Sequential(nn.Linear(2, hidden), nn.LeakyReLU(0.2), nn.Linear(hidden, 1))
        self.g_optim = torch.optim.Adam(self.G.parameters(), lr=2e-3, betas=(0.5, 0.99))
        self.d_optim = torch.optim.Adam(self.D.parameters(), lr=2e-3, betas=(0.5, 0.99))
        self.log = {"g": [], "d": []}

    def everything(self):
        return [*self.G.parameters(), *self.D.parameters()]

    def g_turn(self, n, record):
        fake = self.G(torch.randn(n, self.z_dim))
        loss = F.softplus(-self.D(fake)).mean()
        self.g_optim.zero_grad()
        loss.backward()
        self.d_optim.zero_grad()
        self.g_optim.step()
        record(self.everything())
        self.log["g"].append(loss.item())
        return fake.detach()

    def d_turn(self, real, fake, record):
        loss = F.softplus(-self.D(real)).mean() + F.softplus(self.D(fake)).mean()
        loss.backward()
        self.d_optim.step()
        record(self.everything())
        self.log["d"].append(loss.item())


def ring(n):
    angle = 2 * math.pi * torch.rand(n)
    return torch.stack([angle.cos(), angle.sin()], 1) + 0.05 * torch.randn(n, 2)


def train(record):
    torch.manual_seed(3)
    duel = Duel()
    for epoch in range(2):
        for _ in range(6):
            real = ring(32)
            fake = duel.g_turn(len(real), record)
            duel.d_turn(real, fake, record)
        print(epoch, duel.log["g"][-1], duel.log["d"][-1])


if __name__ == "__main__":
    train(lambda parameters: None)
