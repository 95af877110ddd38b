import torch
from torch import nn


class TabNet(nn.Module):
    def __init__(self, numeric, cards, hidden):
        super().__init__()
        self.embed = nn.ModuleList(nn.Embedding(c, 4) for c in cards)
        self.mlp = nn.Sequential(nn.Linear(numeric + 4 * len(cards), hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def forward(self, num, cat):
        parts = [e(cat[:, j]) for j, e in enumerate(self.embed)]
        return self.mlp(torch.cat([num, *parts], dim=1)).squeeze(1)
