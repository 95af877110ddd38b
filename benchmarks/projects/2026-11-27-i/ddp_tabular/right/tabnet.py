import torch
from torch import nn


class PriceModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.ModuleList([nn.Embedding(4, 3) for _ in range(2)])
        self.mlp = nn.Sequential(nn.Linear(12, 24), nn.GELU(), nn.Linear(24, 1))

    def forward(self, cont, cat):
        parts = [e(cat[:, i]) for i, e in enumerate(self.emb)]
        return self.mlp(torch.cat([cont, *parts], dim=1)).squeeze(1)
