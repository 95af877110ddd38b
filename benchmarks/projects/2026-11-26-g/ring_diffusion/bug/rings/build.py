from collections import namedtuple

import torch
from torch import nn

Parts = namedtuple("Parts", "net optimizer trainable")


class Denoiser(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.clock = nn.Linear(1, 8)
        self.body = nn.Sequential(nn.Linear(10, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU(), nn.Linear(width, 2))

    def forward(self, noisy, when):
        return self.body(torch.cat([noisy, torch.sin(self.clock(when))], 1))


def build(width, rate, frozen=()):
    net = Denoiser(width)
    for name in frozen:
        getattr(net, name).requires_grad_(False)
    trainable = filter(lambda p: p.requires_grad, net.parameters())
    optimizer = torch.optim.AdamW(trainable, lr=rate)
    return Parts(net, optimizer, trainable)
