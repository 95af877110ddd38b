import math
import torch
from torch import nn


def lr_at(it, warm=5, total=30, peak=4e-3, floor=4e-4):
    if it < warm:
        return peak * (it + 1) / warm
    t = (it - warm) / (total - warm)
    return floor + 0.5 * (peak - floor) * (1 + math.cos(math.pi * t))


torch.manual_seed(0)
flow = nn.ModuleList([nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 2)) for _ in range(2)])
opt = torch.optim.Adam(flow.parameters())


def nll(x):
    a, b = x[:, :1], x[:, 1:]
    logdet = 0
    for net in flow:
        s, t = net(a).chunk(2, 1)
        b = b * torch.tanh(s).exp() + t
        logdet = logdet + torch.tanh(s)
        a, b = b, a
    return (0.5 * (a ** 2 + b ** 2) - logdet).mean()


for it in range(30):
    for g in opt.param_groups:
        g["lr"] = lr_at(it)
    x = torch.randn(64, 1)
    loss = nll(torch.cat([x, x ** 2 + 0.1 * torch.randn(64, 1)], 1))
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 10 == 0:
        print(it, loss.item(), lr_at(it))
