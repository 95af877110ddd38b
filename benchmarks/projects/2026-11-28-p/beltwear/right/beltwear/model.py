from torch import nn


class BeltNet(nn.Module):
    def __init__(self, hidden=20):
        super().__init__()
        self.norm = nn.BatchNorm1d(10)
        self.body = nn.Sequential(nn.Linear(10, hidden), nn.ReLU(), nn.Dropout(0.2))
        self.life = nn.Linear(hidden, 1)

    def forward(self, x):
        return self.life(self.body(self.norm(x)))
