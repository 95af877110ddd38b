from torch import nn

from config import CFG


class ReefNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(CFG.n_feat, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Dropout(0.1))
        self.head = nn.Linear(32, CFG.n_classes)

    def forward(self, x):
        return self.head(self.body(x))
