# Denoising diffusion on 2-D points (toy). Noise prediction, cosine schedule.
import math

import torch
from torch import nn

T = 40


class EpsNet(nn.Module):
    def __init__(self, width=48, emb=16):
        super().__init__()
        self.register_buffer("freq", torch.exp(torch.linspace(0, math.log(100), emb // 2)))
        self.net = nn.Sequential(
            nn.Linear(2 + emb, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU(), nn.Linear(width, 2)
        )

    def forward(self, x, t):
        a = (t.float() / T)[:, None] * self.freq
        return self.net(torch.cat([x, a.sin(), a.cos()], 1))


def alpha_bar(t):
    return torch.cos((t.float() / T + 0.008) / 1.008 * math.pi / 2) ** 2


def checkerboard(n):
    x = torch.rand(n, 2) * 4 - 2
    keep = (x.floor().sum(1) % 2) == 0
    x[~keep, 0] = -x[~keep, 0]
    return x


@torch.no_grad()
def generate(model, n=64):
    model.eval()
    x = torch.randn(n, 2)
    for k in range(T - 1, 0, -1):
        t = torch.full((n,), k)
        a, a_prev = alpha_bar(t)[:, None], alpha_bar(t - 1)[:, None]
        eps = model(x, t)
        x0 = (x - (1 - a).sqrt() * eps) / a.sqrt().clamp_min(1e-3)
        x = a_prev.sqrt() * x0.clamp(-3, 3) + (1 - a_prev).sqrt() * eps
    model.train()
    return x


torch.manual_seed(0)
model = EpsNet()
optim = torch.optim.AdamW(model.parameters(), lr=2e-3)
for i in range(60):
    x0 = checkerboard(64)
    t = torch.randint(1, T, (64,))
    a = alpha_bar(t)[:, None]
    noise = torch.randn_like(x0)
    pred = model(a.sqrt() * x0 + (1 - a).sqrt() * noise, t)
    loss = (pred - noise).pow(2).mean()
    optim.zero_grad()
    loss.backward()
    optim.step()
    if i % 30 == 29:
        print(i + 1, f"loss {loss.item():.3f}", "sample std", generate(model).std().item())
