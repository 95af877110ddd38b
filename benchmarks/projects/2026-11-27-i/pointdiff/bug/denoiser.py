import torch
from torch import nn


class Denoiser(nn.Module):
    def __init__(self, steps, width=64):
        super().__init__()
        self.t_emb = nn.Embedding(steps, width)
        self.inp = nn.Linear(2, width)
        self.mid = nn.Sequential(nn.SiLU(), nn.Linear(width, width), nn.SiLU())
        self.out = nn.Linear(width, 2)

    def forward(self, x, t):
        return self.out(self.mid(self.inp(x) + self.t_emb(t)))


class Diffusion:
    def __init__(self, sched):
        betas = torch.linspace(sched.beta_start, sched.beta_end, sched.steps)
        self.abar = torch.cumprod(1 - betas, 0)
        self.steps = sched.steps

    def loss(self, net, x0):
        t = torch.randint(0, self.steps, (len(x0),))
        eps = torch.randn_like(x0)
        a = self.abar[t][:, None]
        noisy = a.sqrt() * x0 + (1 - a).sqrt() * eps
        return (net(noisy, t).float() - eps).pow(2).mean()
