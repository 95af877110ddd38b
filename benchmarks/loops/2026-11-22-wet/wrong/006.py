import torch
import torch.nn.functional as F

from networks import Discriminator, Generator


def endless(loader):
    while True:
        yield from loader


def train_gan(loader, steps, latent=128, device="cuda"):
    gen, disc = Generator(latent).to(device), Discriminator().to(device)
    opt_g = torch.optim.Adam(gen.parameters(), lr=2e-4, betas=(0.5, 0.999))
    opt_d = torch.optim.Adam(disc.parameters(), lr=2e-4, betas=(0.5, 0.999))
    stream = endless(loader)
    step = 0
    while step < steps:
        real = next(stream)[0].to(device)
        noise = torch.randn(real.size(0), latent, device=device)

        opt_d.zero_grad()
        fake = gen(noise).detach()
        real_score, fake_score = disc(real), disc(fake)
        loss_d = F.softplus(-real_score).mean() + F.softplus(fake_score).mean()
        loss_d.backward()
        opt_d.step()
        torch.nn.utils.clip_grad_norm_(disc.parameters(), 10.0)

        opt_g.zero_grad()
        loss_g = F.softplus(-disc(gen(noise))).mean()
        loss_g.backward()
        torch.nn.utils.clip_grad_norm_(gen.parameters(), 10.0)
        opt_g.step()

        if step % 500 == 0:
            print(f"{step:>7d}  d {loss_d.item():.3f}  g {loss_g.item():.3f}")
        step += 1
    return gen
