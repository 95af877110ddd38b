import torch.nn as nn

from corpus import ALPHABET


class CharRNN(nn.Module):
    def __init__(self, hidden_size=32, dropout=0.1):
        super().__init__()
        n = len(ALPHABET)
        self.encoder = nn.Embedding(n, hidden_size)
        self.rnn = nn.GRU(hidden_size, hidden_size, batch_first=True)
        self.drop = nn.Dropout(dropout)
        self.decoder = nn.Linear(hidden_size, n)

    def forward(self, x, hidden=None):
        out, hidden = self.rnn(self.drop(self.encoder(x)), hidden)
        return self.decoder(self.drop(out)), hidden
