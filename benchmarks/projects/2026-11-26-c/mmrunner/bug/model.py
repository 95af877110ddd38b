import torch.nn as nn
import torch.nn.functional as F


class TinyRegressor(nn.Module):
    def __init__(self, in_features, hidden):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(in_features, hidden), nn.BatchNorm1d(hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def forward(self, x):
        return self.net(x)

    def train_step(self, x, y):
        pred = self(x)
        return {"loss": F.mse_loss(pred, y), "num_samples": len(x)}
