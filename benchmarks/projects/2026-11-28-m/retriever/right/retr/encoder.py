from torch import nn
from torch.nn import functional as F


class BiEncoder(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.drop = nn.Dropout(0.1)
        self.proj = nn.Linear(dim, dim)

    def encode(self, ids):
        return F.normalize(self.proj(self.drop(self.emb(ids).mean(1))), dim=-1)

    def forward(self, queries, docs):
        return self.encode(queries), self.encode(docs)
