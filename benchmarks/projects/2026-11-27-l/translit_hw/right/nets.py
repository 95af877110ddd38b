import torch.nn as nn


class Translit(nn.Module):
    def __init__(self, vocab, dim=32):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.rnn = nn.LSTM(dim, dim, batch_first=True, bidirectional=True)
        self.drop = nn.Dropout(0.1)
        self.out = nn.Linear(2 * dim, vocab)

    def forward(self, src):
        h, _ = self.rnn(self.embed(src))
        return self.out(self.drop(h))
