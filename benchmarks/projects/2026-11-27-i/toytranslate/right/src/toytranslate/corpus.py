import torch


def reversal_batches(n, batch=16, length=6, vocab=10, device="cpu"):
    out = []
    for _ in range(n):
        src = torch.randint(1, vocab, (batch, length), device=device)
        out.append((src, src.flip(1)))
    return out
