from torch import nn


class Scorer(nn.Module):
    def __init__(self, dim=7):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(dim, 20), nn.GELU(), nn.Linear(20, 1))

    def forward(self, x):
        return self.layers(x).squeeze(-1)
