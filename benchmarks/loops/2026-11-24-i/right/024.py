import torch
from torch import nn


def norms(net):
    return {n: p.grad.norm().item() for n, p in net.named_parameters()}


torch.manual_seed(24)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(6):
    x = torch.randn(8, 4)
    net(x).pow(2).mean().backward()
    probe = norms(net)
    opt.zero_grad()
    (net(x) - 1).pow(2).mean().backward()
    opt.step()
    opt.zero_grad()
    print(i, probe)
