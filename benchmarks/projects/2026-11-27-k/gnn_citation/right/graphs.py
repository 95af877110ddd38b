from __future__ import annotations

from typing import NamedTuple

import torch


class Graph(NamedTuple):
    x: torch.Tensor
    adj: torch.Tensor
    y: torch.Tensor
    train: torch.Tensor
    val: torch.Tensor
    test: torch.Tensor


def block_model(n=240, k=3, p_in=0.08, p_out=0.01, dim=12, seed=0) -> Graph:
    g = torch.Generator().manual_seed(seed)
    y = torch.randint(k, (n,), generator=g)
    prob = torch.where(y[:, None] == y[None], p_in, p_out)
    upper = torch.triu(torch.rand(n, n, generator=g) < prob, diagonal=1).float()
    a = upper + upper.T + torch.eye(n)
    d = a.sum(1).rsqrt()
    x = torch.randn(n, dim, generator=g)
    x[:, :k] += 0.8 * torch.nn.functional.one_hot(y, k)
    perm = torch.randperm(n, generator=g)
    return Graph(x, d[:, None] * a * d[None], y, perm[:60], perm[60:140], perm[140:])
