from torch import nn


class Forecaster(nn.Module):
    def __init__(self, history, horizon, hidden):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(history, hidden),
            nn.LayerNorm(hidden),
            nn.GELU(),
            nn.Dropout(0.1),
            nn.Linear(hidden, horizon),
        )

    def forward(self, past):
        return self.net(past)
