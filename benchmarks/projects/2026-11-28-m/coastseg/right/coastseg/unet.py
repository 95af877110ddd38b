import torch
from torch import Tensor, nn
from torch.nn import functional as F


def block(i: int, o: int) -> nn.Sequential:
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.BatchNorm2d(o), nn.ReLU())


class MiniUNet(nn.Module):
    def __init__(self, w: int = 8) -> None:
        super().__init__()
        self.a, self.b = block(2, w), block(w, 2 * w)
        self.c = block(3 * w, w)
        self.out = nn.Conv2d(w, 1, 1)

    def forward(self, x: Tensor) -> Tensor:
        a = self.a(x)
        b = F.interpolate(self.b(F.max_pool2d(a, 2)), scale_factor=2)
        return self.out(self.c(torch.cat([a, b], 1)))
