import torch
from torch import nn


def block(inside, outside):
    return nn.Sequential(nn.Conv2d(inside, outside, 3, padding=1), nn.BatchNorm2d(outside), nn.ReLU())


class TinyUNet(nn.Module):
    def __init__(self, width, drop):
        super().__init__()
        self.down, self.mid = block(1, width), block(width, width)
        self.drop = nn.Dropout2d(drop)
        self.up = block(2 * width, width)
        self.head = nn.Conv2d(width, 1, 1)

    def forward(self, x):
        skip = self.down(x)
        deep = self.drop(self.mid(nn.functional.max_pool2d(skip, 2)))
        deep = nn.functional.interpolate(deep, scale_factor=2.0)
        return self.head(self.up(torch.cat([skip, deep], 1)))
