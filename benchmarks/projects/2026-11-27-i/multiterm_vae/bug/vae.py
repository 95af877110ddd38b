import torch
from torch import nn


class VAE(nn.Module):
    def __init__(self, dim=24, latent=4):
        super().__init__()
        self.encode = nn.Sequential(nn.Linear(dim, 48), nn.ReLU(), nn.Linear(48, 2 * latent))
        self.decode = nn.Sequential(nn.Linear(latent, 48), nn.ReLU(), nn.Linear(48, dim))

    def forward(self, x):
        mu, logvar = self.encode(x).float().chunk(2, dim=1)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        return self.decode(z).float(), mu, logvar
