import torch


def clips(n, seed, size=16, length=64):
    g = torch.Generator().manual_seed(seed)
    t = torch.arange(length)
    out = []
    for _ in range(n):
        word = torch.randint(4, (size,), generator=g)
        tone = torch.sin(t * (0.2 + 0.25 * word[:, None]))
        out.append(((tone + 0.4 * torch.randn(size, length, generator=g)).unsqueeze(1), word))
    return out
