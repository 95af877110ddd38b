import torch
from torch import nn


class Tunnel(nn.Module):
    def __init__(self):
        super().__init__()
        self.wall = nn.Linear(5, 10)
        self.exit = nn.Linear(10, 1)

    def forward(self, ore):
        return self.exit(torch.relu(self.wall(ore)))


def carts(count, size=8):
    ore = torch.randn(count, 5)
    salt = ore.abs().mean(1, keepdim=True)
    return list(zip(ore.split(size), salt.split(size)))
