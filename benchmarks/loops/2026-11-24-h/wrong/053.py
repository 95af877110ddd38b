"""WGAN with weight clamping on a ring of Gaussians."""
import math

import torch
from torch import nn

CUDA = torch.cuda.is_available()
DEV = torch.device("cuda" if CUDA else "cpu")
N_CRITIC, CLAMP, Z = 5, 0.01, 4


def ring(n, modes=8):
    k = torch.randint(modes, (n,), device=DEV)
    centre = torch.stack([torch.cos(2 * math.pi * k / modes), torch.sin(2 * math.pi * k / modes)], 1)
    return centre + 0.05 * torch.randn(n, 2, device=DEV)


def tower(sizes):
    layers = []
    for a, b in zip(sizes, sizes[1:]):
        layers += [nn.Linear(a, b), nn.LeakyReLU(0.2)]
    return nn.Sequential(*layers[:-1]).to(DEV)


def main(gen_updates=25, batch=64):
    torch.manual_seed(3)
    gen, critic = tower([Z, 32, 32, 2]), tower([2, 32, 32, 1])
    opt_g = torch.optim.RMSprop(gen.parameters(), lr=5e-5)
    opt_c = torch.optim.RMSprop(critic.parameters(), lr=5e-5)
    scaler = torch.amp.GradScaler(DEV.type, enabled=CUDA)
    amp = lambda: torch.autocast(DEV.type, dtype=torch.float16, enabled=CUDA)

    for it in range(gen_updates):
        for _ in range(N_CRITIC):
            opt_c.zero_grad()
            with amp():
                with torch.no_grad():
                    fake = gen(torch.randn(batch, Z, device=DEV))
                wasserstein = critic(ring(batch)).mean() - critic(fake).mean()
                c_loss = -wasserstein
            scaler.scale(c_loss).backward()
            scaler.step(opt_c)
            with torch.no_grad():
                for w in critic.parameters():
                    w.clamp_(-CLAMP, CLAMP)

        opt_g.zero_grad()
        with amp():
            g_loss = -critic(gen(torch.randn(batch, Z, device=DEV))).mean()
        scaler.scale(g_loss).backward()
        scaler.step(opt_g)
        scaler.update()
        if it % 5 == 0:
            print(f"{it:3d} W {wasserstein.item():+.5f} G {g_loss.item():+.5f}")


if __name__ == "__main__":
    main()
