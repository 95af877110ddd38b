import torch
from torch import nn
import torch.nn.functional as F


class VAE(nn.Module):
    def __init__(self, d=20, z=3):
        super().__init__()
        self.enc = nn.Linear(d, 2 * z)
        self.dec = nn.Sequential(nn.Linear(z, 24), nn.Tanh(), nn.Linear(24, d))

    def forward(self, x):
        mu, logvar = self.enc(x).chunk(2, dim=1)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        return self.dec(z), mu, logvar


torch.manual_seed(18)
mix = torch.randn(3, 20)
vae = VAE()
optimizer = torch.optim.Adam(vae.parameters(), lr=2e-3)
smooth = None
for it in range(80):
    beta = min(1.0, it / 40)
    x = torch.randn(32, 3) @ mix
    recon, mu, logvar = vae(x)
    kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(1).mean()
    elbo = F.mse_loss(recon, x, reduction="sum") / len(x) + beta * kl
    optimizer.zero_grad()
    elbo.backward()
    optimizer.step()
    smooth = elbo if smooth is None else 0.95 * smooth + 0.05 * elbo
    if it % 20 == 0:
        print(it, f"{float(smooth):.3f}", f"{kl.item():.3f}")
