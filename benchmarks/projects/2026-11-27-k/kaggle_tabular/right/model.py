import torch.nn as nn

from config import *


class TabNN(nn.Module):
    def __init__(self, n_features):
        super().__init__()
        self.bn = nn.BatchNorm1d(n_features)
        self.net = nn.Sequential(
            nn.Linear(n_features, HIDDEN), nn.BatchNorm1d(HIDDEN), nn.PReLU(), nn.Dropout(DROPOUT), nn.Linear(HIDDEN, 1)
        )

    def forward(self, x):
        return self.net(self.bn(x))
