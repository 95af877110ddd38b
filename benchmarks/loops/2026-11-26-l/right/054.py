import torch
from torch import nn

torch.manual_seed(0)
energy = nn.Sequential(nn.Linear(2, 32), nn.SiLU(), nn.Dropout(0.1), nn.Linear(32, 1))
opt = torch.optim.Adam(energy.parameters(), lr=1e-3)


def langevin(steps=5, n=32, step_size=0.1):
    energy.eval()
    x = torch.randn(n, 2)
    for _ in range(steps):
        x.requires_grad_(True)
        g, = torch.autograd.grad(energy(x).sum(), x)
        x = (x - 0.5 * step_size * g + step_size ** 0.5 * torch.randn_like(x)).detach()
    energy.train()
    return x


for it in range(10):
    theta = torch.rand(32) * 6.283
    pos = torch.stack([theta.cos(), theta.sin()], 1) + 0.05 * torch.randn(32, 2)
    neg = langevin()
    e_pos, e_neg = energy(pos), energy(neg)
    loss = e_pos.mean() - e_neg.mean() + 0.1 * (e_pos ** 2 + e_neg ** 2).mean()
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(energy.parameters(), 1.0)
    opt.step()
    if it % 3 == 0:
        print(it, loss.item())
