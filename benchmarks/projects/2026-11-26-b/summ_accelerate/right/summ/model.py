import torch
from torch import nn
from torch.nn import functional as F

__all__ = ["Summarizer", "sequence_loss"]


class Summarizer(nn.Module):
    def __init__(self, vocab, width):
        super().__init__()
        self.embed = nn.Embedding(vocab, width)
        self.encoder = nn.GRU(width, width, batch_first=True)
        self.decoder = nn.GRU(width, width, batch_first=True)
        self.drop = nn.Dropout(0.1)
        self.head = nn.Linear(width, vocab)

    def forward(self, source, target):
        _, state = self.encoder(self.embed(source))
        begin = torch.zeros_like(target[:, :1])
        hidden, _ = self.decoder(self.embed(torch.cat([begin, target[:, :-1]], 1)), state)
        return self.head(self.drop(hidden))


def sequence_loss(model, batch):
    source, target = batch
    return F.cross_entropy(model(source, target).flatten(0, 1), target.flatten())
