import torch
from torch import nn


class Trunk(nn.Sequential):
    def __init__(self):
        super().__init__(nn.Linear(10, 24), nn.GELU(), nn.Linear(24, 16), nn.GELU())


class Heads(nn.Module):
    def __init__(self):
        super().__init__()
        self.rain, self.wind = nn.Linear(16, 1), nn.Linear(16, 1)

    def forward(self, features):
        return {"rain": self.rain(features).squeeze(1), "wind": self.wind(features).squeeze(1)}
