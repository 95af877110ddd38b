import torch
from torch import nn


def attack(net, x, t, eps=0.1):
    x = x.detach().requires_grad_(True)
    g = torch.autograd.grad(nn.functional.cross_entropy(net(x), t), x)[0]
    return (x + eps * g.sign()).detach()


torch.manual_seed(51)
net = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 2))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(12):
    x = torch.randn(8, 6)
    t = (x[:, 0] > 0).long()
    bad = attack(net, x, t)
    opt.zero_grad()
    loss = 0.5 * nn.functional.cross_entropy(net(x), t) + 0.5 * nn.functional.cross_entropy(net(bad), t)
    loss.backward()
    opt.step()
