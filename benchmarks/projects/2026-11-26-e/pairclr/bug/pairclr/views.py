import torch
from torch import nn

__all__ = ["Projector", "info_nce", "images", "two_views"]


class Projector(nn.Module):
    def __init__(self, width, out):
        super().__init__()
        self.net = nn.Sequential(nn.Flatten(), nn.Linear(64, width), nn.ReLU(), nn.Linear(width, out))

    def forward(self, a, b):
        return tuple(nn.functional.normalize(z, dim=1) for z in self.net(torch.cat([a, b])).chunk(2))


def info_nce(za, zb, temperature):
    logits = za @ zb.T / temperature
    target = torch.arange(len(za))
    return (nn.functional.cross_entropy(logits, target) + nn.functional.cross_entropy(logits.T, target)) / 2


def images(n):
    return torch.randn(n, 1, 8, 8, generator=torch.Generator().manual_seed(4))


def two_views(x):
    return x + 0.3 * torch.randn_like(x), x.flip(-1) * 0.1 + x + 0.3 * torch.randn_like(x)
