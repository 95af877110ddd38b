import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

import optim
from engine import fit


class CharLM(nn.Module):
    def __init__(self, vocab=12, dim=24):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.rnn = nn.LSTM(dim, dim, batch_first=True)
        self.head = nn.Linear(dim, vocab)

    def forward(self, tokens):
        return self.head(self.rnn(self.embed(tokens))[0])


def sequences(n=96, length=10, vocab=12):
    start = torch.randint(0, vocab, (n, 1))
    stride = torch.randint(1, 4, (n, 1))
    whole = (start + stride * torch.arange(length + 1)) % vocab
    return TensorDataset(whole[:, :-1], whole[:, 1:])


if __name__ == "__main__":
    torch.manual_seed(0)
    lm = CharLM()
    fit(lm, DataLoader(sequences(), 16, shuffle=True), optim.build(lm), warmup=6, epochs=3)
