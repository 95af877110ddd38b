import math

import torch
import torch.nn.functional as F
from torch import nn


class VAE(nn.Module):
    def __init__(self, width=12, latent=3):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(8, width), nn.Tanh(), nn.Linear(width, 2 * latent))
        self.decoder = nn.Sequential(nn.Linear(latent, width), nn.Tanh(), nn.Linear(width, 8))

    def forward(self, x):
        mean, log_var = self.encoder(x).chunk(2, dim=1)
        z = mean + torch.randn_like(mean) * torch.exp(0.5 * log_var)
        return self.decoder(z), mean, log_var


class CyclicScheduler:
    def __init__(self, period, top):
        self.period, self.top, self.moves = period, top, 0

    def step(self):
        place = self.moves % self.period / self.period
        self.moves += 1
        return self.top * 0.5 * (1 - math.cos(math.pi * min(1.0, 2 * place)))


def elbo(out, x, mean, log_var, beta):
    rebuilt = F.mse_loss(out, x, reduction="none").sum(1).mean()
    kl = -0.5 * (1 + log_var - mean.pow(2) - log_var.exp()).sum(1).mean()
    return rebuilt + beta * kl, kl


def train(record):
    torch.manual_seed(602)
    data = torch.randn(96, 3) @ torch.randn(3, 8)
    vae = VAE()
    optimizer = torch.optim.Adam(vae.parameters(), lr=3e-3)
    scheduler = CyclicScheduler(period=6, top=0.8)
    for epoch in range(3):
        vae.train()
        seen = []
        for x in data.split(12):
            scheduler_value = scheduler.step()
            optimizer.zero_grad()
            out, mean, log_var = vae(x)
            loss, kl = elbo(out, x, mean, log_var, scheduler_value)
            loss.backward()
            optimizer.step()
            record(list(vae.parameters()))
            seen.append((scheduler_value, kl.item()))
        print(epoch, seen[-1])


if __name__ == "__main__":
    train(lambda parameters: None)
