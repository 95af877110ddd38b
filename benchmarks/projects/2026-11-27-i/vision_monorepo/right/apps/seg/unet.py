import torch
from torch import nn


def conv(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.GroupNorm(2, o), nn.ReLU())


class MiniUNet(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.enc, self.mid = conv(1, width), conv(width, 2 * width)
        self.dec, self.head = conv(3 * width, width), nn.Conv2d(width, 1, 1)
        self.pool, self.up = nn.MaxPool2d(2), nn.Upsample(scale_factor=2)

    def forward(self, x):
        skip = self.enc(x)
        deep = self.up(self.mid(self.pool(skip)))
        return self.head(self.dec(torch.cat([skip, deep], 1)))
