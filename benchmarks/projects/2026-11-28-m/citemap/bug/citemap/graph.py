from typing import NamedTuple

import torch


class Graph(NamedTuple):
    x: torch.Tensor
    adj: torch.Tensor
    y: torch.Tensor
    train: torch.Tensor
    held: torch.Tensor


def planted(n=160, k=4, seed=9):
    g = torch.Generator().manual_seed(seed)
    y = torch.arange(n) % k
    same = (y[:, None] == y[None]).float()
    p = 0.12 * same + 0.02 * (1 - same)
    upper = torch.triu((torch.rand(n, n, generator=g) < p).float(), 1)
    a = upper + upper.T + torch.eye(n)
    d = a.sum(1).rsqrt()
    x = torch.randn(n, 16, generator=g)
    x[:, :k] += 0.8 * torch.nn.functional.one_hot(y, k)
    train = torch.rand(n, generator=g) < 0.3
    return Graph(x, d[:, None] * a * d[None], y, train, ~train)
