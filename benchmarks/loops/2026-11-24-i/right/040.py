import torch
from torch import nn


def saliency(net, x):
    net.eval()
    x = x.clone().requires_grad_(True)
    (g,) = torch.autograd.grad(net(x).sum(), x)
    net.train()
    return g.abs().mean(0)


torch.manual_seed(40)
net = nn.Sequential(nn.Linear(5, 12), nn.Dropout(0.2), nn.ELU(), nn.Linear(12, 1))
opt = torch.optim.Adam(net.parameters())
for epoch in range(3):
    for _ in range(5):
        x = torch.randn(8, 5)
        opt.zero_grad()
        (net(x).squeeze(1) - x[:, 2]).pow(2).mean().backward()
        opt.step()
    print(saliency(net, x))
