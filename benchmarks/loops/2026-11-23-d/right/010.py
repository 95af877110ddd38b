import torch
from torch import nn


def clear(params):
    for p in params:
        p.grad = None


def spiral(n):
    t = torch.rand(n) * 6
    label = torch.randint(0, 2, (n,))
    sign = label.float() * 2 - 1
    return torch.stack([sign * t * t.cos(), sign * t * t.sin()], 1), label


model = nn.Sequential(nn.Linear(2, 64), nn.Tanh(), nn.Linear(64, 2))
params = list(model.parameters())
opt = torch.optim.ASGD(params, lr=0.05)
for step in range(100):
    x, y = spiral(64)
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
    opt.step()
    clear(params)
    if step % 25 == 0:
        print(step, loss.item())
