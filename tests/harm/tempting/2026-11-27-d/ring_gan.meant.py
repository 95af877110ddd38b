import torch
import torch.nn.functional as F
from torch import nn

NOISE = 3


def ring(n):
    angle = 6.2832 * torch.rand(n, 1)
    return torch.cat([angle.cos(), angle.sin()], 1) + 0.05 * torch.randn(n, 2)


def mlp(a, b, c):
    return nn.Sequential(nn.Linear(a, b), nn.LeakyReLU(0.2), nn.Linear(b, c))


def critic_loss(disc, real, fake):
    return F.softplus(-disc(real)).mean() + F.softplus(disc(fake)).mean()


def train(record):
    torch.manual_seed(31)
    gen, disc = mlp(NOISE, 16, 2), mlp(2, 16, 1)
    everything = [*gen.parameters(), *disc.parameters()]
    opt_g = torch.optim.Adam(gen.parameters(), lr=5e-3, betas=(0.5, 0.9))
    opt_d = torch.optim.Adam(disc.parameters(), lr=5e-3, betas=(0.5, 0.9))
    reals = [ring(24) for _ in range(8)]
    log = []
    for epoch in range(3):
        for real in reals:
            opt_d.zero_grad()
            noise = torch.randn(len(real), NOISE)
            d_loss = critic_loss(disc, real, gen(noise).detach())
            d_loss.backward()
            opt_d.step()
            record(everything)

            opt_g.zero_grad()
            g_loss = F.softplus(-disc(gen(torch.randn(len(real), NOISE)))).mean()
            g_loss.backward()
            opt_g.step()
            record(everything)
            log.append((d_loss.item(), g_loss.item()))
    return log


if __name__ == "__main__":
    train(lambda parameters: None)
