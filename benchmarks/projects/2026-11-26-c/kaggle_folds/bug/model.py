import torch.nn as nn

from config import CFG


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            nn.BatchNorm1d(CFG.n_features), nn.Dropout(0.1), nn.Linear(CFG.n_features, CFG.hidden), nn.PReLU())
        self.out = nn.Linear(CFG.hidden, 1)

    def forward(self, x):
        return self.out(self.body(x)).squeeze(-1)
