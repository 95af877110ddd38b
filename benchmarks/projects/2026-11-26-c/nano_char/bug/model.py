from dataclasses import dataclass

import torch
import torch.nn as nn
from torch.nn import functional as F


@dataclass
class GPTConfig:
    block_size: int = 16
    vocab_size: int = 32
    n_embd: int = 32
    dropout: float = 0.0


class TinyGPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.wte = nn.Embedding(config.vocab_size, config.n_embd)
        self.wpe = nn.Embedding(config.block_size, config.n_embd)
        self.attn = nn.MultiheadAttention(config.n_embd, 2, batch_first=True)
        self.drop = nn.Dropout(config.dropout)
        self.ln = nn.LayerNorm(config.n_embd)
        self.head = nn.Linear(config.n_embd, config.vocab_size)

    def forward(self, idx, targets=None):
        t = idx.size(1)
        x = self.drop(self.wte(idx) + self.wpe(torch.arange(t, device=idx.device)))
        mask = torch.triu(torch.ones(t, t, dtype=torch.bool, device=idx.device), 1)
        a, _ = self.attn(x, x, x, attn_mask=mask, need_weights=False)
        logits = self.head(self.ln(x + self.drop(a)))
        loss = None
        if targets is not None:
            loss = F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1))
        return logits, loss
