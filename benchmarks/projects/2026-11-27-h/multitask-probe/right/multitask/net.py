from torch import nn


class Shared(nn.Module):
    def __init__(self, n_in=16, width=24, classes=3):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(n_in, width), nn.GELU())
        self.classify = nn.Linear(width, classes)
        self.restore = nn.Linear(width, n_in)
