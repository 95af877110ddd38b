"""WGAN-GP on 2-d points. The critic is updated several times for each generator update."""
import torch
import torch.nn as nn
from torch import autograd

torch.manual_seed(12)
Z, BATCH, N_CRITIC, LAMBDA = 3, 24, 3, 10.0


def real_points(n):
    angle = torch.rand(n) * 6.2832
    return torch.stack([angle.cos(), angle.sin()], 1) + 0.05 * torch.randn(n, 2)


generator = nn.Sequential(nn.Linear(Z, 24), nn.ReLU(), nn.Linear(24, 2))
critic = nn.Sequential(nn.Linear(2, 24), nn.LeakyReLU(0.2), nn.Linear(24, 1))
opt_g = torch.optim.Adam(generator.parameters(), lr=1e-3, betas=(0.0, 0.9))
opt_c = torch.optim.Adam(critic.parameters(), lr=1e-3, betas=(0.0, 0.9))


def gradient_penalty(real, fake):
    mix = torch.rand(len(real), 1)
    points = (mix * real + (1 - mix) * fake).requires_grad_(True)
    (slope,) = autograd.grad(critic(points).sum(), points, create_graph=True)
    return ((slope.norm(dim=1) - 1) ** 2).mean()


for it in range(1, 11):
    for _ in range(N_CRITIC):
        real = real_points(BATCH)
        fake = generator(torch.randn(BATCH, Z)).detach()
        opt_c.zero_grad()
        critic(real).mean().neg().backward()
        critic(fake).mean().backward()
        penalty = LAMBDA * gradient_penalty(real, fake)
        penalty.backward()
        opt_c.step()

    opt_g.zero_grad()
    g_loss = -critic(generator(torch.randn(BATCH, Z))).mean()
    g_loss.backward()
    opt_g.step()
    if it % 5 == 0:
        print(f"iteration {it} g {g_loss.item():.4f} gp {penalty.item():.4f}")
