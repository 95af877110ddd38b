import torch
from torch import nn

G = nn.Sequential(nn.Linear(4, 20), nn.ReLU(), nn.Linear(20, 2))
D = nn.Sequential(nn.Linear(2, 20), nn.SiLU(), nn.Linear(20, 1))
og = torch.optim.Adam(G.parameters(), 1e-4, betas=(0.0, 0.9))
od = torch.optim.Adam(D.parameters(), 1e-4, betas=(0.0, 0.9))


def penalty(real, fake):
    a = torch.rand(len(real), 1)
    mid = (a * real + (1 - a) * fake).requires_grad_(True)
    (g,) = torch.autograd.grad(D(mid).sum(), mid, create_graph=True)
    return (g.norm(dim=1) - 1).square().mean()


for it in range(40):
    real = torch.randn(32, 2) + 3
    with torch.no_grad():
        fake = G(torch.randn(32, 4))
    d_loss = D(fake).mean() - D(real).mean() + 10 * penalty(real, fake)
    od.zero_grad()
    d_loss.backward()
    od.step()
    if it % 5 == 4:
        g_loss = -D(G(torch.randn(32, 4))).mean()
        og.zero_grad()
        g_loss.backward()
        og.step()
        print(it, d_loss.item(), g_loss.item())
