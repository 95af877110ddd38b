from collections import defaultdict

import torch
import torch.nn as nn
import torch.nn.functional as F


class VAE(nn.Module):
    def __init__(self, d=20, z=3):
        super().__init__()
        self.enc, self.dec = nn.Linear(d, 2 * z), nn.Linear(z, d)

    def forward(self, x):
        mu, logvar = self.enc(x).chunk(2, -1)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        return self.dec(z), mu, logvar


def elbo(model, x):
    recon, mu, logvar = model(x)
    rec = F.mse_loss(recon, x, reduction="sum") / len(x)
    kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(1).mean()
    return rec, kl


torch.manual_seed(0)
data = torch.randn(160, 20)
vae = VAE()
optimizer = torch.optim.Adam(vae.parameters(), lr=1e-2)
log = defaultdict(list)
for epoch in range(3):
    beta = min(1.0, epoch / 2)
    for x in data.split(32):
        rec, kl = elbo(vae, x)
        loss = rec + beta * kl
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        log["rec"].append(rec.item())
        log["kl"].append(kl)
    print(epoch, sum(log["rec"][-5:]) / 5, float(sum(log["kl"][-5:]) / 5))
