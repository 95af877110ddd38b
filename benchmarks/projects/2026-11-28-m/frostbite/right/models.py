from config import *
from torch import nn


class FrostNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.bn = nn.BatchNorm1d(CFG.n_features)
        self.fc1 = nn.Linear(CFG.n_features, CFG.hidden)
        self.drop = nn.Dropout(0.3)
        self.fc2 = nn.Linear(CFG.hidden, 1)

    def forward(self, x):
        x = torch.relu(self.fc1(self.bn(x)))
        return self.fc2(self.drop(x)).squeeze(-1)
