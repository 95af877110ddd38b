import argparse

import torch
from torch.utils.data import DataLoader

from losses import discriminator_loss, generator_loss
from metrics import coverage, modes
from networks import build_discriminator, build_generator
from optimizers import make_update


def ring(n):
    return modes()[torch.randint(0, 8, (n,))] + 0.05 * torch.randn(n, 2)


@torch.no_grad()
def sample(generator, noise_size, n=256):
    generator.eval()
    points = generator(torch.randn(n, noise_size))
    generator.train()
    return points


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--noise", type=int, default=4)
    parser.add_argument("--batch", type=int, default=32)
    args = parser.parse_args()
    torch.manual_seed(0)

    generator = build_generator(args.noise, 2)
    discriminator = build_discriminator(2)
    update_g = make_update(generator, lr=1e-3)
    update_d = make_update(discriminator, lr=2e-3)
    loader = DataLoader(ring(512), args.batch, shuffle=True)

    for epoch in range(args.epochs):
        d_total = g_total = 0.0
        for real in loader:
            fake = generator(torch.randn(real.size(0), args.noise))
            d_loss = discriminator_loss(discriminator(real), discriminator(fake.detach()))
            update_d(d_loss)
            g_loss = generator_loss(discriminator(fake))
            update_g(g_loss)
            d_total += d_loss.item()
            g_total += g_loss.item()
        points = sample(generator, args.noise)
        print(
            f"epoch {epoch}: d {d_total / len(loader):.3f} g {g_total / len(loader):.3f} "
            f"radius {points.norm(dim=1).mean().item():.3f} modes {coverage(points)}"
        )


if __name__ == "__main__":
    main()
