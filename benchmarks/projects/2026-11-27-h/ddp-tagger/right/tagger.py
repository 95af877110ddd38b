from torch import nn


class Tagger(nn.Module):
    def __init__(self, words=50, tags=5, width=16):
        super().__init__()
        self.words = nn.Embedding(words, width)
        self.lstm = nn.LSTM(width, width, batch_first=True, bidirectional=True)
        self.tags = nn.Linear(2 * width, tags)

    def forward(self, words):
        return self.tags(self.lstm(self.words(words))[0])
