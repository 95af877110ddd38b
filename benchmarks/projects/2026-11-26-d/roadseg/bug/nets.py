import torch.nn as nn


class TinyFCN(nn.Module):
    def __init__(self, classes=2):
        super().__init__()
        self.down = nn.Sequential(nn.Conv2d(3, 12, 3, stride=2, padding=1), nn.GroupNorm(3, 12), nn.ReLU())
        self.mid = nn.Sequential(nn.Conv2d(12, 12, 3, padding=1), nn.ReLU(), nn.Dropout2d(0.1))
        self.up = nn.ConvTranspose2d(12, classes, 2, stride=2)

    def forward(self, x):
        return self.up(self.mid(self.down(x)))
