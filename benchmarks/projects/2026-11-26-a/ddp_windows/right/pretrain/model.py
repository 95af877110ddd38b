import torch
from torch import nn


class MaskedAutoencoder(nn.Module):
    def __init__(self, width=24, hidden=48):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(width, hidden), nn.GELU(), nn.Linear(hidden, hidden))
        self.decoder = nn.Linear(hidden, width)
        self.mask = nn.Parameter(torch.zeros(width))

    def forward(self, x, hidden):
        filled = torch.where(hidden, self.mask, x)
        guess = self.decoder(self.encoder(filled))
        return ((guess - x) ** 2)[hidden].mean()


class Waves(torch.utils.data.Dataset):
    def __init__(self, n, width=24):
        g = torch.Generator().manual_seed(2)
        phase = torch.rand(n, 1, generator=g) * 6.283
        self.rows = torch.sin(phase + torch.arange(width) * 0.5)

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return self.rows[i]
