import torch
from torch import nn


class TinyLM(nn.Module):
    def __init__(self, vocab, width):
        super().__init__()
        self.embed = nn.Embedding(vocab, width)
        self.mix = nn.GRU(width, width, batch_first=True)
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, vocab)

    def forward(self, ids):
        hidden, _ = self.mix(self.embed(ids))
        return self.head(self.norm(hidden))


def make_corpus(n, opt):
    start = torch.randint(0, opt.vocab, (n, 1))
    stride = torch.randint(1, 4, (n, 1))
    return (start + stride * torch.arange(opt.seq_len + 1)) % opt.vocab
