import math

import torch
from torch import nn


class LoRALinear(nn.Module):
    def __init__(self, base: nn.Linear, rank, alpha=8):
        super().__init__()
        self.base = base.requires_grad_(False)
        self.a = nn.Parameter(torch.randn(rank, base.in_features) / math.sqrt(base.in_features))
        self.b = nn.Parameter(torch.zeros(base.out_features, rank))
        self.scale = alpha / rank

    def forward(self, x):
        return self.base(x) + self.scale * (x @ self.a.T @ self.b.T)


class BigramLM(nn.Module):
    def __init__(self, vocab=24, dim=32, rank=4):
        super().__init__()
        self.wte = nn.Embedding(vocab, dim).requires_grad_(False)
        self.proj = LoRALinear(nn.Linear(dim, dim), rank)
        self.lm_head = LoRALinear(nn.Linear(dim, vocab), rank)

    def forward(self, ids):
        return self.lm_head(torch.tanh(self.proj(self.wte(ids))))
