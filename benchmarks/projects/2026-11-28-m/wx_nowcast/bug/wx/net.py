from torch import nn


def conv(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.BatchNorm2d(o), nn.SiLU())


class Nowcaster(nn.Module):
    def __init__(self, width=12):
        super().__init__()
        self.stem = conv(3, width)
        self.mid = conv(width, width)
        self.out = nn.Conv2d(width, 1, 1)

    def forward(self, x):
        h = self.stem(x)
        return self.out(h + self.mid(h))
