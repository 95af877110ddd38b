from torch import nn


class CharTranslator(nn.Module):
    def __init__(self, vocab, width=48):
        super().__init__()
        self.embed = nn.Embedding(vocab, width)
        self.mix = nn.Sequential(nn.Linear(width, 96), nn.ReLU(), nn.Linear(96, width))
        self.out = nn.Linear(width, vocab)

    def forward(self, source):
        return self.out(self.mix(self.embed(source)))
