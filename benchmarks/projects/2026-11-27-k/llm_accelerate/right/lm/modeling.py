import torch
from torch import nn


class TinyLM(nn.Module):
    def __init__(self, vocab, width=32, heads=2, seq_len=16):
        super().__init__()
        self.tok = nn.Embedding(vocab, width)
        self.pos = nn.Parameter(torch.zeros(seq_len, width))
        self.block = nn.TransformerEncoderLayer(width, heads, 2 * width, dropout=0.0, batch_first=True)
        self.head = nn.Linear(width, vocab)

    def forward(self, ids):
        t = ids.size(1)
        mask = nn.Transformer.generate_square_subsequent_mask(t)
        h = self.tok(ids) + self.pos[:t]
        return self.head(self.block(h, src_mask=mask, is_causal=True))
