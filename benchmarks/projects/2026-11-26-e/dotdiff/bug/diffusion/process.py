import torch
from torch import nn


class Denoiser(nn.Module):
    def __init__(self, dim=2, hidden=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim + 1, hidden), nn.SiLU(), nn.Linear(hidden, dim))

    def forward(self, x, t):
        return self.net(torch.cat([x, t[:, None]], 1))


def noise_loss(model, x0):
    t = torch.rand(len(x0))
    eps = torch.randn_like(x0)
    a = torch.cos(t * torch.pi / 2)[:, None]
    b = torch.sin(t * torch.pi / 2)[:, None]
    return (model(a * x0 + b * eps, t) - eps).pow(2).mean()


def dots(n):
    angle = torch.randint(0, 8, (n,)) * (torch.pi / 4)
    return torch.stack([angle.cos(), angle.sin()], 1)
