import torch
from torch import nn

LATENT = 8
torch.manual_seed(42)


def mlp(i, o):
    return nn.Sequential(nn.Linear(i, 32), nn.LeakyReLU(0.2), nn.Linear(32, o))


generator, discriminator = mlp(LATENT, 2), mlp(2, 1)
g_optim = torch.optim.Adam(generator.parameters(), lr=1e-3, betas=(0.5, 0.999))
d_optim = torch.optim.Adam(discriminator.parameters(), lr=1e-3, betas=(0.5, 0.999))
adversarial = nn.BCEWithLogitsLoss()


def ring(n):
    angle = torch.rand(n) * 6.2832
    return torch.stack([angle.cos(), angle.sin()], 1)


for i in range(60):
    real = ring(32)
    fake = generator(torch.randn(32, LATENT))

    d_real = adversarial(discriminator(real), torch.ones(32, 1))
    d_fake = adversarial(discriminator(fake.detach()), torch.zeros(32, 1))
    d_loss = 0.5 * (d_real + d_fake)
    d_loss.backward()
    d_optim.step()
    d_optim.zero_grad()

    g_loss = adversarial(discriminator(fake), torch.ones(32, 1))
    g_loss.backward()
    g_optim.step()
    g_optim.zero_grad()

    if i % 20 == 0:
        print(i, d_loss.item(), g_loss.item())
