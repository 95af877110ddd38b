import torch


def utterances(n=20, batch=6, phones=12, length=10, mels=16):
    g = torch.Generator().manual_seed(9)
    table = torch.randn(phones, mels, generator=g)
    out = []
    for _ in range(n):
        text = torch.randint(phones, (batch, length), generator=g)
        out.append((text, table[text] + 0.1 * torch.randn(batch, length, mels, generator=g)))
    return out
