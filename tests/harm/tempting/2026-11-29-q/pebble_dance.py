"""Look ahead by half a step first; only the gradient at the far point counts."""
import contextlib

import torch
from torch import nn


@contextlib.contextmanager
def displaced(parameters, by):
    shifts = [p.grad * by for p in parameters]
    with torch.no_grad():
        torch._foreach_sub_(parameters, shifts)
    try:
        yield
    finally:
        with torch.no_grad():
            torch._foreach_add_(parameters, shifts)


def train(record):
    torch.manual_seed(102)
    net = nn.Sequential(nn.Linear(3, 8), nn.CELU(), nn.Linear(8, 1))
    parameters = list(net.parameters())
    opt = torch.optim.SGD(parameters, lr=0.1)
    error = lambda x: nn.functional.mse_loss(net(x), x.prod(1, keepdim=True))
    for _ in range(36):
        first, second = torch.randn(2, 8, 3)
        error(first).backward()
        with displaced(parameters, 0.05):
            opt.zero_grad()
            error(second).backward()
        opt.step()
        record(parameters)
        opt.zero_grad()


if __name__ == "__main__":
    train(lambda parameters: None)
