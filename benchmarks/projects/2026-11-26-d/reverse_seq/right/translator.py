import torch
from torch import nn


class Translator(nn.Module):
    def __init__(self, symbols, dim=24):
        super().__init__()
        self.emb = nn.Embedding(symbols, dim)
        self.enc = nn.GRU(dim, dim, batch_first=True)
        self.dec = nn.GRU(dim, dim, batch_first=True)
        self.out = nn.Linear(dim, symbols)

    def forward(self, src, tgt):
        _, h = self.enc(self.emb(src))
        shifted = torch.cat([torch.zeros_like(tgt[:, :1]), tgt[:, :-1]], dim=1)
        states, _ = self.dec(self.emb(shifted), h)
        return self.out(states)
