from typing import NamedTuple

import torch


class Graph(NamedTuple):
    x: torch.Tensor
    adj: torch.Tensor
    y: torch.Tensor
    train: torch.Tensor
    test: torch.Tensor


def two_blocks(n=80, features=10):
    y = torch.arange(n) % 2
    same = y[:, None] == y[None, :]
    adj = (torch.rand(n, n) < torch.where(same, 0.15, 0.02)).float()
    adj = ((adj + adj.T + torch.eye(n)) > 0).float()
    adj = adj / adj.sum(1, keepdim=True)
    x = torch.randn(n, features)
    x[:, 0] += 0.7 * (2 * y - 1)
    train = torch.rand(n) < 0.4
    return Graph(x, adj, y, train, ~train)
