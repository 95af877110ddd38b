import torch
from torch import nn


class Painter(nn.Sequential):
    def __init__(self, z=8, size=64):
        super().__init__(nn.Linear(z, 32), nn.ReLU(), nn.Linear(32, size), nn.Tanh())
        self.z = z

    def sample(self, n):
        return self(torch.randn(n, self.z))


class Critic(nn.Sequential):
    def __init__(self, size=64):
        super().__init__(nn.Linear(size, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1))


def real_batch(n, size=64):
    phase = torch.rand(n, 1) * 6.28
    return torch.sin(torch.linspace(0, 6.28, size) + phase)
