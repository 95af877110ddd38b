import copy
import math

import torch
from torch import nn

torch.manual_seed(144)
meta = nn.Sequential(nn.Linear(1, 24), nn.Tanh(), nn.Linear(24, 1))


def sample_task():
    amp, phase = 0.5 + 2 * torch.rand(()), math.pi * torch.rand(())
    return lambda x: amp * torch.sin(x + phase)


def adapt(weights, task, k=4, lr=0.02):
    fast = copy.deepcopy(weights)
    for _ in range(k):
        sgd = torch.optim.SGD(fast.parameters(), lr=lr)
        x = torch.rand(10, 1) * 10 - 5
        loss = nn.functional.mse_loss(fast(x), task(x))
        fast.zero_grad()
        loss.backward()
        sgd.step()
    return fast, loss.item()


meta_lr = 0.3
for it in range(10):
    fast, final = adapt(meta, sample_task())
    with torch.no_grad():
        for slow_p, fast_p in zip(meta.parameters(), fast.parameters()):
            slow_p.lerp_(fast_p, meta_lr * (1 - it / 10))
    print(f"task {it}: loss after adaptation {final:.3f}")
