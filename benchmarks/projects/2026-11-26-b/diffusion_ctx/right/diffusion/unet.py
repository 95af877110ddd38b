import torch
from torch import nn


class Denoiser(nn.Module):
    def __init__(self, hidden=64, steps=20):
        super().__init__()
        self.time = nn.Embedding(steps, hidden)
        self.enter = nn.Linear(2, hidden)
        self.body = nn.Sequential(nn.SiLU(), nn.Dropout(0.1), nn.Linear(hidden, hidden), nn.SiLU())
        self.leave = nn.Linear(hidden, 2)

    def forward(self, x, t):
        return self.leave(self.body(self.enter(x) + self.time(t)))
