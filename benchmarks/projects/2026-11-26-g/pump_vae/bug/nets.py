import torch
from torch import nn


class VAE(nn.Module):
    def __init__(self, size, code):
        super().__init__()
        self.inside = nn.Sequential(nn.Linear(size, 24), nn.Tanh(), nn.Linear(24, 2 * code))
        self.outside = nn.Sequential(nn.Linear(code, 24), nn.Tanh(), nn.Linear(24, size))

    def encode(self, x):
        return self.inside(x).chunk(2, dim=1)

    def decode(self, code):
        return self.outside(code)


def make_vae(size, code):
    net = VAE(size, code)
    for weight in net.parameters():
        if weight.dim() > 1:
            nn.init.xavier_uniform_(weight)
    return net
