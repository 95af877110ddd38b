import torch
from torch import nn

from registry import NETS


@NETS.add("mlp_generator")
class Generator(nn.Module):
    def __init__(self, z=4, hidden=32):
        super().__init__()
        self.z = z
        self.net = nn.Sequential(nn.Linear(z, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, 2))

    def forward(self, n):
        return self.net(torch.randn(n, self.z))


@NETS.add("mlp_critic")
class Critic(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, hidden), nn.LeakyReLU(0.2), nn.Linear(hidden, 1))

    def forward(self, points):
        return self.net(points).squeeze(-1)
