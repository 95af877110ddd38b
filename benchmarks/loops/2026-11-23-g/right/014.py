"""Variational autoencoder; the curves are kept as detached tensors and only read at the end of an epoch."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(23)


class VAE(nn.Module):
    def __init__(self, d=25, z=3):
        super().__init__()
        self.enc = nn.Linear(d, 16)
        self.mu, self.logvar = nn.Linear(16, z), nn.Linear(16, z)
        self.dec = nn.Sequential(nn.Linear(z, 16), nn.ReLU(), nn.Linear(16, d))

    def forward(self, x):
        h = torch.relu(self.enc(x))
        mu, logvar = self.mu(h), self.logvar(h)
        z = mu + torch.randn_like(mu) * (logvar / 2).exp()
        return self.dec(z), mu, logvar


def elbo(recon, x, mu, logvar, beta):
    rec = F.binary_cross_entropy_with_logits(recon, x, reduction="sum") / len(x)
    kld = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum() / len(x)
    return rec + beta * kld, rec, kld


data = (torch.rand(96, 25) < torch.rand(25)).float()
vae = VAE()
optimizer = torch.optim.Adam(vae.parameters(), lr=1e-2)
curves = {"loss": [], "rec": [], "kld": []}

for epoch in range(3):
    running = torch.zeros(())
    vae.train()
    for x in data[torch.randperm(96)].split(16):
        out, mu, logvar = vae(x)
        loss, rec, kld = elbo(out, x, mu, logvar, beta=min(1.0, (epoch + 1) / 3))
        vae.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        with torch.no_grad():
            running += loss
        for name, value in zip(curves, (loss, rec, kld)):
            curves[name].append(value.detach())
    print(f"epoch {epoch} mean {running.item() / 6:.3f}")

print({name: round(torch.stack(v)[-6:].mean().item(), 3) for name, v in curves.items()})
