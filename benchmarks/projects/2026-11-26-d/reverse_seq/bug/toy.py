import torch


def reversal(n, seed, size=24, length=5, symbols=9):
    g = torch.Generator().manual_seed(seed)
    for _ in range(n):
        src = torch.randint(1, symbols, (size, length), generator=g)
        yield src, src.flip(1)
