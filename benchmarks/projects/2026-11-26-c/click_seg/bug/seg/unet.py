import torch
import torch.nn as nn


def double(i, o):
    return nn.Sequential(
        nn.Conv2d(i, o, 3, padding=1), nn.GroupNorm(2, o), nn.ReLU(), nn.Dropout2d(0.05), nn.Conv2d(o, o, 3, padding=1),
        nn.ReLU())


class MicroUNet(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.enc = double(1, width)
        self.mid = double(width, 2 * width)
        self.up = nn.ConvTranspose2d(2 * width, width, 2, stride=2)
        self.dec = double(2 * width, width)
        self.out = nn.Conv2d(width, 1, 1)

    def forward(self, x):
        e = self.enc(x)
        m = self.mid(nn.functional.max_pool2d(e, 2))
        return self.out(self.dec(torch.cat([e, self.up(m)], 1)))
