from torch import nn


class MoistureNet(nn.Module):
    def __init__(self, hidden=16):
        super().__init__()
        self.rnn = nn.LSTM(2, hidden, batch_first=True)
        self.drop = nn.Dropout(0.1)
        self.out = nn.Linear(hidden, 1)

    def forward(self, x):
        states, _ = self.rnn(x)
        return self.out(self.drop(states))
