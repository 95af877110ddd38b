from torch import nn


class DuneNet(nn.Module):
    def __init__(self, width=10):
        super().__init__()
        self.encode = nn.Sequential(nn.Conv2d(1, width, 3, padding=1), nn.BatchNorm2d(width), nn.SiLU())
        self.decode = nn.Sequential(nn.Conv2d(width, width, 3, padding=1), nn.SiLU(), nn.Conv2d(width, 1, 1))

    def forward(self, image):
        return self.decode(self.encode(image))
