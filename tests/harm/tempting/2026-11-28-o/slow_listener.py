"""A fast network and a slow copy that follows the same gradients, bounded."""
import copy

import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


def stream(n):
    gen = torch.Generator().manual_seed(21)
    for _ in range(n):
        x = torch.randn(12, 5, generator=gen)
        yield x, (x[:, :1] * x[:, 1:2]) + 3 * torch.randn(12, 1, generator=gen)


def hand_over(source, target):
    for p, q in zip(source.parameters(), target.parameters()):
        q.grad = p.grad.clone()


def train(record):
    torch.manual_seed(2)
    fast = nn.Sequential(nn.Linear(5, 12), nn.ReLU(), nn.Linear(12, 1))
    slow = copy.deepcopy(fast)
    fast_opt = torch.optim.SGD(fast.parameters(), lr=0.05)
    slow_opt = torch.optim.SGD(slow.parameters(), lr=0.05, momentum=0.9)
    gap = []
    for x, y in stream(40):
        fast_opt.zero_grad()
        nn.functional.mse_loss(fast(x), y).backward()
        # the fast weights take the gradient as it is
        fast_opt.step()
        record(list(fast.parameters()))
        # the slow ones never hear more than this
        clip_grad_norm_(fast.parameters(), 0.2)
        hand_over(fast, slow)
        slow_opt.step()
        record(list(slow.parameters()))
        with torch.no_grad():
            gap.append((fast(x) - slow(x)).abs().mean().item())
    return gap


if __name__ == "__main__":
    train(lambda parameters: None)
