import torch
from torch import nn


def block(cin: int, cout: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(cin, cout, 3, padding=1, bias=False),
        nn.BatchNorm2d(cout),
        nn.ReLU(inplace=True),
    )


class TinyUNet(nn.Module):
    def __init__(self, classes: int = 2, width: int = 8):
        super().__init__()
        self.down = block(1, width)
        self.mid = block(width, 2 * width)
        self.up = block(3 * width, width)
        self.head = nn.Conv2d(width, classes, 1)

    def forward(self, x):
        skip = self.down(x)
        deep = self.mid(nn.functional.max_pool2d(skip, 2))
        deep = nn.functional.interpolate(deep, scale_factor=2, mode="nearest")
        return self.head(self.up(torch.cat([skip, deep], dim=1)))
