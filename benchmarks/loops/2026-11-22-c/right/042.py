import torch
from torch import nn


def residual(net, t, x):
    t.requires_grad_(True)
    x.requires_grad_(True)
    u = net(torch.stack([t, x], dim=-1)).squeeze(-1)
    u_t, u_x = torch.autograd.grad(u.sum(), (t, x), create_graph=True)
    (u_xx,) = torch.autograd.grad(u_x.sum(), x, create_graph=True)
    return u_t + u * u_x - 0.01 / torch.pi * u_xx


def validate(net, points):
    net.eval()
    worst = 0.0
    for t, x in points.split(512):
        worst = max(worst, residual(net, t.clone(), x.clone()).abs().max().item())
    return worst


class Grid:
    def __init__(self, n):
        self.t, self.x = torch.rand(n), 2 * torch.rand(n) - 1

    def split(self, size):
        return zip(self.t.split(size), self.x.split(size))


def train(epochs=5000, lr=1e-3, n=2048):
    net = nn.Sequential(nn.Linear(2, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 1))
    optimizer = torch.optim.Adam(net.parameters(), lr=lr)
    grid = Grid(1000)
    for epoch in range(epochs):
        net.train()
        optimizer.zero_grad()
        inside = residual(net, torch.rand(n), 2 * torch.rand(n) - 1).pow(2).mean()
        inside.backward()
        start = 2 * torch.rand(n) - 1
        initial = net(torch.stack([torch.zeros(n), start], -1)).squeeze(-1) + torch.sin(torch.pi * start)
        boundary = initial.pow(2).mean()
        boundary.backward()
        optimizer.step()
        if epoch % 250 == 0:
            print(epoch, inside.item(), boundary.item(), validate(net, grid))
    return net
