from torch import nn


class Recogniser(nn.Module):
    def __init__(self, bins=10, hidden=24, vocab=6):
        super().__init__()
        self.rnn = nn.GRU(bins, hidden, batch_first=True)
        self.drop = nn.Dropout(0.1)
        self.out = nn.Linear(hidden, vocab)

    def forward(self, frames):
        return self.out(self.drop(self.rnn(frames)[0]))
