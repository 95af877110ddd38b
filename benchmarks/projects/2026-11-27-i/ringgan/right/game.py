import math

import torch
import torch.nn.functional as F


def ring(n, modes=8):
    theta = torch.randint(0, modes, (n,)) * (2 * math.pi / modes)
    return torch.stack([theta.cos(), theta.sin()], 1) + 0.02 * torch.randn(n, 2)


def hinge_d(real, fake):
    return F.relu(1 - real).mean() + F.relu(1 + fake).mean()


def turn(gen, disc, duo, monitor, batch=64, z=8):
    real, fake = ring(batch), gen(torch.randn(batch, z))

    duo.clear()
    d_loss = hinge_d(disc(real), disc(fake.detach()))
    d_loss.backward()
    duo.disc.step()

    duo.clear()
    g_loss = -disc(fake).mean()
    g_loss.backward()
    duo.gen.step()

    monitor.record(d=d_loss.detach(), g=g_loss.detach())
