from common import *
from torch import nn


class Forecaster(nn.Module):
    def __init__(self, hidden=16):
        super().__init__()
        self.rnn = nn.GRU(1, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 1)

    def forward(self, past):
        assert past.shape[1] == LOOKBACK
        _, h = self.rnn(past.unsqueeze(-1))
        return self.out(h[-1]).squeeze(-1)
