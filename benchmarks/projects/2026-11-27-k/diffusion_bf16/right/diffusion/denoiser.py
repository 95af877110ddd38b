import math

import torch
from torch import nn


class Denoiser(nn.Module):
    def __init__(self, dim=2, width=64, timesteps=50):
        super().__init__()
        freqs = torch.exp(-math.log(1e3) * torch.arange(8) / 8)
        table = torch.arange(timesteps)[:, None] * freqs
        self.register_buffer("table", torch.cat([table.sin(), table.cos()], 1))
        self.net = nn.Sequential(
            nn.Linear(dim + 16, width), nn.SiLU(), nn.Dropout(0.1), nn.Linear(width, width), nn.SiLU(), nn.Linear(width, dim)
        )

    def forward(self, x, t):
        return self.net(torch.cat([x, self.table[t]], 1))
