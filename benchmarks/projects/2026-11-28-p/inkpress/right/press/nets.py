import torch
from torch import nn


class Writer(nn.Module):
    noise = 6

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(self.noise, 24), nn.ReLU(), nn.Linear(24, 16))

    def forward(self, z):
        return torch.sigmoid(self.body(z))

    def sample(self, count):
        return self(torch.randn(count, self.noise))


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(16, 24), nn.LeakyReLU(0.2), nn.Linear(24, 1))

    def forward(self, page):
        return self.body(page)
