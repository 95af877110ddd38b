import torch
from torch import nn


class VAE(nn.Module):
    def __init__(self, dim=8, z=2, hidden=24):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(dim, hidden), nn.SiLU(), nn.Linear(hidden, 2 * z))
        self.dec = nn.Sequential(nn.Linear(z, hidden), nn.SiLU(), nn.Linear(hidden, dim))
        self.beta = 1.0

    def forward(self, x):
        mu, logvar = self.enc(x).chunk(2, dim=-1)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        return self.dec(z), mu, logvar

    def elbo(self, x):
        recon, mu, logvar = self(x)
        rec = nn.functional.mse_loss(recon, x, reduction="sum") / len(x)
        kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(1).mean()
        return rec + self.beta * kl
