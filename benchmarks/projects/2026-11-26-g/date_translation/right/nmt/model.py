import torch
from torch import nn

from .data import VOCAB


class Seq2Seq(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.embed = nn.Embedding(VOCAB, hidden)
        self.encoder = nn.GRU(hidden, hidden, batch_first=True)
        self.decoder = nn.GRU(hidden, hidden, batch_first=True)
        self.drop, self.out = nn.Dropout(0.1), nn.Linear(hidden, VOCAB)

    def forward(self, source, target):
        _, state = self.encoder(self.embed(source))
        shifted = nn.functional.pad(target[:, :-1], (1, 0))
        hidden, _ = self.decoder(self.embed(shifted), state)
        return self.out(self.drop(hidden))
