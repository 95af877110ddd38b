"""Exercise 4: a planted-partition graph with noisy features."""
import torch


def planted(n=120, classes=3, p_in=0.12, p_out=0.01, feats=12, seed=5):
    g = torch.Generator().manual_seed(seed)
    y = torch.arange(n) % classes
    same = y[:, None] == y[None, :]
    prob = torch.where(same, torch.tensor(p_in), torch.tensor(p_out))
    upper = torch.triu(torch.rand(n, n, generator=g) < prob, diagonal=1).float()
    adj = upper + upper.T + torch.eye(n)
    d = adj.sum(1).rsqrt()
    x = torch.randn(n, feats, generator=g)
    x[torch.arange(n), y] += 1.0
    train = torch.zeros(n, dtype=torch.bool)
    train[: n // 3] = True
    return x, d[:, None] * adj * d[None, :], y, train, ~train
