"""1-D GAN, toy version."""
import torch
from torch import nn

torch.manual_seed(11)
Z = 4
BATCH = 64

generator = nn.Sequential(nn.Linear(Z, 32), nn.ReLU(), nn.Linear(32, 1))
discriminator = nn.Sequential(nn.Linear(1, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1))

opt_g = torch.optim.Adam(generator.parameters(), lr=1e-3, betas=(0.5, 0.999))
opt_d = torch.optim.Adam(discriminator.parameters(), lr=1e-3, betas=(0.5, 0.999))
bce = nn.BCEWithLogitsLoss()


def real_samples(n):
    return torch.randn(n, 1) * 0.5 + 2.0


ones = torch.ones(BATCH, 1)
zeros = torch.zeros(BATCH, 1)

for it in range(60):
    # ---- discriminator ----
    noise = torch.randn(BATCH, Z)
    fake = generator(noise)
    opt_d.zero_grad()
    d_real = bce(discriminator(real_samples(BATCH)), ones)
    d_fake = bce(discriminator(fake.detach()), zeros)
    d_loss = d_real + d_fake
    d_loss.backward()
    opt_d.step()

    # ---- generator ----
    g_loss = bce(discriminator(fake), ones)
    g_loss.backward()
    opt_g.step()

    if it % 20 == 0:
        with torch.no_grad():
            s = generator(torch.randn(256, Z))
        print(f"{it:3d} D {d_loss.item():.3f} G {g_loss.item():.3f} mean {s.mean():.2f} std {s.std():.2f}")
