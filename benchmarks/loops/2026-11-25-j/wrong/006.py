import torch
from torch import nn
import torch.nn.functional as F


class VAE(nn.Module):
    def __init__(self, d=20, z=3):
        super().__init__()
        self.enc = nn.Linear(d, 16)
        self.mu, self.logvar = nn.Linear(16, z), nn.Linear(16, z)
        self.dec = nn.Sequential(nn.Linear(z, 16), nn.ReLU(), nn.Linear(16, d))

    def forward(self, x):
        h = F.relu(self.enc(x))
        mu, logvar = self.mu(h), self.logvar(h).clamp(-5, 5)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        return self.dec(z), mu, logvar


def elbo(recon, x, mu, logvar, beta):
    kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(1).mean()
    return F.mse_loss(recon, x, reduction="sum") / len(x) + beta * kl


class AmpStepper:
    """Bundles optimizer and loss scaler."""

    def __init__(self, params, lr, clip):
        self.params = list(params)
        self.opt = torch.optim.SGD(self.params, lr=lr)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=4096)
        self.clip = clip

    def __call__(self, loss):
        self.opt.zero_grad()
        self.scaler.scale(loss).backward()
        if self.clip is not None:
            nn.utils.clip_grad_value_(self.params, self.clip)
        self.scaler.step(self.opt)
        self.scaler.update()


torch.manual_seed(5)
vae = VAE()
stepper = AmpStepper(vae.parameters(), lr=1e-2, clip=0.5)
data = torch.randn(64, 20)
for epoch in range(3):
    for x in data.split(16):
        recon, mu, logvar = vae(x)
        loss = elbo(recon, x, mu, logvar, beta=min(1.0, epoch / 2))
        stepper(loss)
    print(f"epoch {epoch}: {loss.item():.3f}")
