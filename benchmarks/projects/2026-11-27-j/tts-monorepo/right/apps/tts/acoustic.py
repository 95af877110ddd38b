from torch import nn


class Acoustic(nn.Module):
    def __init__(self, phones=12, dim=24, mels=16):
        super().__init__()
        self.embed = nn.Embedding(phones, dim)
        self.rnn = nn.GRU(dim, dim, batch_first=True)
        self.proj = nn.Linear(dim, mels)

    def forward(self, text):
        return self.proj(self.rnn(self.embed(text))[0])
