import torch
from torch import nn

critic = nn.Sequential(nn.Linear(2, 24), nn.ReLU(), nn.Linear(24, 1))
gen = nn.Sequential(nn.Linear(4, 24), nn.ReLU(), nn.Linear(24, 2))
oc = torch.optim.Adam(critic.parameters(), lr=1e-3, betas=(0.0, 0.9))
og = torch.optim.Adam(gen.parameters(), lr=1e-3, betas=(0.0, 0.9))


def penalty(real, fake):
    a = torch.rand(len(real), 1)
    mix = (a * real + (1 - a) * fake).requires_grad_(True)
    (g,) = torch.autograd.grad(critic(mix).sum(), mix, create_graph=True)
    return ((g.norm(dim=1) - 1) ** 2).mean()


for it in range(25):
    real = torch.randn(16, 2) + 2
    z = torch.randn(16, 4)
    with torch.no_grad():
        fake = gen(z)
    oc.zero_grad()
    loss_c = critic(fake).mean() - critic(real).mean() + 10 * penalty(real, fake)
    loss_c.backward()
    oc.step()
    if it % 5 == 4:
        critic.requires_grad_(False)
        og.zero_grad()
        loss_g = -critic(gen(z)).mean()
        loss_g.backward()
        og.step()
        critic.requires_grad_(True)
        print(it, loss_c.item(), loss_g.item())
