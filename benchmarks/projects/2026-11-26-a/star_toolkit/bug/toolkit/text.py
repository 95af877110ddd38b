import torch
from torch.utils.data import TensorDataset

__all__ = ["VOCAB", "reviews"]

VOCAB = 40


def reviews(n, length=12, seed=0):
    g = torch.Generator().manual_seed(seed)
    tokens = torch.randint(0, VOCAB, (n, length), generator=g)
    score = (tokens < 8).sum(1) - (tokens >= VOCAB - 8).sum(1)
    return TensorDataset(tokens, (score > 0).long())


def _scramble(tokens):
    return tokens[:, torch.randperm(tokens.size(1))]
