import torch
import torch.nn.functional as F


def endless(loader):
    while True:
        yield from loader


def train_gan(gen, disc, loader, *, steps=100_000, n_critic=3, z_dim=128, device="cuda"):
    opt_gen = torch.optim.Adam(gen.parameters(), lr=1e-4, betas=(0.0, 0.9))
    opt_disc = torch.optim.Adam(disc.parameters(), lr=4e-4, betas=(0.0, 0.9))
    scaler = torch.amp.GradScaler("cuda")
    images = endless(loader)

    def noise(n):
        return torch.randn(n, z_dim, device=device)

    for step in range(steps):
        for _ in range(n_critic):
            real = next(images).to(device)
            with torch.autocast("cuda", dtype=torch.float16):
                with torch.no_grad():
                    fake = gen(noise(len(real)))
                loss_disc = F.relu(1 - disc(real)).mean() + F.relu(1 + disc(fake)).mean()
            opt_disc.zero_grad(set_to_none=True)
            scaler.scale(loss_disc).backward()
            scaler.step(opt_disc)
            scaler.update()

        disc.requires_grad_(False)
        with torch.autocast("cuda", dtype=torch.float16):
            loss_gen = -disc(gen(noise(len(real)))).mean()
        opt_gen.zero_grad(set_to_none=True)
        loss_gen.backward()
        scaler.step(opt_gen)
        scaler.update()
        disc.requires_grad_(True)

        if step % 500 == 0:
            print(f"{step} disc {loss_disc.item():.3f} gen {loss_gen.item():.3f}")
