import torch
from torch import nn


class Denoiser(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.inp = nn.Linear(2, hidden)
        self.time = nn.Sequential(nn.Linear(2, hidden), nn.SiLU(), nn.Linear(hidden, hidden))
        self.out = nn.Sequential(nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU(), nn.Linear(hidden, 2))

    def forward(self, x, t):
        emb = torch.stack([torch.sin(6.28 * t), torch.cos(6.28 * t)], dim=1)
        return self.out(self.inp(x) + self.time(emb))
