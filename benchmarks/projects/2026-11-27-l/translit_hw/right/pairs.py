import random

import torch

ABC = "abcdefghij"
PAD = 0


def encode(word):
    return torch.tensor([ABC.index(c) + 1 for c in word])


def make_pairs(n, length=6):
    words = ["".join(random.choices(ABC, k=length)) for _ in range(n)]
    src = torch.stack([encode(w) for w in words])
    tgt = torch.stack([encode(w[::-1]) for w in words])
    return src, tgt


def minibatches(src, tgt, size):
    for idx in torch.randperm(len(src)).split(size):
        yield src[idx], tgt[idx]
