import torch
from torch import nn


class Decoder(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.tok = nn.Embedding(cfg.vocab, cfg.dim)
        self.block = nn.TransformerEncoderLayer(cfg.dim, cfg.heads, 2 * cfg.dim, dropout=0.0, batch_first=True)
        self.head = nn.Linear(cfg.dim, cfg.vocab)

    def forward(self, ids):
        mask = nn.Transformer.generate_square_subsequent_mask(ids.shape[1])
        return self.head(self.block(self.tok(ids), src_mask=mask, is_causal=True))


def corpus(cfg, vocab):
    g = torch.Generator().manual_seed(7)
    start = torch.randint(0, vocab, (cfg.documents, 1), generator=g)
    return (start + torch.arange(cfg.block + 1)) % vocab
