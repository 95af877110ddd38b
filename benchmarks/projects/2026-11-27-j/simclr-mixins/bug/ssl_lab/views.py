import torch


def augment(x):
    keep = (torch.rand_like(x) > 0.15).float()
    return x * keep + 0.1 * torch.randn_like(x)


def two_views(n_batches=12, size=24, dim=20, seed=0):
    g = torch.Generator().manual_seed(seed)
    centers = torch.randn(6, dim, generator=g)
    out = []
    for _ in range(n_batches):
        x = centers[torch.randint(6, (size,), generator=g)] + 0.3 * torch.randn(size, dim, generator=g)
        out.append((augment(x), augment(x)))
    return out
