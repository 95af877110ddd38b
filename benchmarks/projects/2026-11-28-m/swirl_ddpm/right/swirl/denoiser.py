import math

import torch
from torch import nn


class Denoiser(nn.Module):
    def __init__(self, width, timesteps):
        super().__init__()
        self.timesteps = timesteps
        self.inp = nn.Linear(2 + 8, width)
        self.mid = nn.Linear(width, width)
        self.out = nn.Linear(width, 2)

    def forward(self, x, t):
        freq = torch.arange(1, 5, device=x.device) * math.pi
        ang = (t.float() / self.timesteps)[:, None] * freq
        h = torch.cat([x, ang.sin(), ang.cos()], 1)
        h = nn.functional.silu(self.inp(h))
        return self.out(nn.functional.silu(self.mid(h)) + h)


class Diffusion:
    def __init__(self, timesteps):
        betas = torch.linspace(1e-3, 0.2, timesteps)
        self.alpha = 1 - betas
        self.bar = torch.cumprod(self.alpha, 0)
        self.betas, self.timesteps = betas, timesteps

    def corrupt(self, x0):
        t = torch.randint(0, self.timesteps, (len(x0),))
        eps = torch.randn_like(x0)
        bar = self.bar[t][:, None]
        return bar.sqrt() * x0 + (1 - bar).sqrt() * eps, t, eps

    @torch.no_grad()
    def sample(self, net, n):
        x = torch.randn(n, 2)
        for t in reversed(range(self.timesteps)):
            eps = net(x, torch.full((n,), t)).float()
            x = (x - self.betas[t] / (1 - self.bar[t]).sqrt() * eps) / self.alpha[t].sqrt()
            if t:
                x = x + self.betas[t].sqrt() * torch.randn_like(x)
        return x
