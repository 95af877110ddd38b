from collections import namedtuple

import torch

Graph = namedtuple("Graph", "x adj y train test")


def planted(n=120, k=3, feat=8):
    y = torch.arange(n) % k
    p = torch.where(y[:, None] == y[None, :], 0.15, 0.02)
    a = torch.bernoulli(p).triu(1)
    a = a + a.T + torch.eye(n)
    d = a.sum(1).rsqrt()
    x = torch.randn(n, feat) + 0.5 * torch.nn.functional.one_hot(y, feat)
    mask = torch.rand(n) < 0.4
    return Graph(x, d[:, None] * a * d[None, :], y, mask, ~mask)
