import torch
from torch import nn
from torch.nn import functional as F


class NanoLM(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.rnn = nn.GRU(dim, dim, batch_first=True)
        self.head = nn.Linear(dim, vocab)

    def forward(self, inputs, labels):
        hidden, _ = self.rnn(self.embed(inputs))
        return F.cross_entropy(self.head(hidden).flatten(0, 1), labels.flatten())
