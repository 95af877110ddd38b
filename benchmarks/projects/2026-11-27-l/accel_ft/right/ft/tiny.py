import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class TinyLM(nn.Module):
    def __init__(self, vocab, dim=24):
        super().__init__()
        self.tok = nn.Embedding(vocab, dim)
        self.mix = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Dropout(0.1), nn.Linear(2 * dim, dim))
        self.lm_head = nn.Linear(dim, vocab)

    def forward(self, ids):
        h = self.tok(ids)
        return self.lm_head(h + self.mix(h))


def token_loader(n, cfg, shuffle):
    start = torch.randint(cfg.vocab, (n, 1))
    ids = (start + 7 * torch.arange(13)) % cfg.vocab
    return DataLoader(TensorDataset(ids), batch_size=cfg.batch_size, shuffle=shuffle)
