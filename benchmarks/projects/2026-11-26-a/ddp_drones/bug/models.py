from torch import nn


class StateNet(nn.Module):
    def __init__(self, features=12, hidden=32, classes=3, p=0.1):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(features, hidden), nn.GELU(), nn.Dropout(p))
        self.head = nn.Linear(hidden, classes)

    def forward(self, x):
        return self.head(self.body(x))
