import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.amp import GradScaler

torch.manual_seed(0)
DEV = "cuda" if torch.cuda.is_available() else "cpu"


class Gen(nn.Module):
    def __init__(self, ch=6):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(1, ch, 3, padding=1), nn.PReLU(), nn.Conv2d(ch, 4, 3, padding=1), nn.PixelShuffle(2))

    def forward(self, lr):
        return self.body(lr)


class Disc(nn.Module):
    def __init__(self, ch=6):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(1, ch, 3, 2, 1), nn.LeakyReLU(0.2), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(ch, 1))

    def forward(self, hr):
        return self.body(hr)


def train_fn(batches, gen, disc, opt_gen, opt_disc, scaler, l1_lambda=100):
    for idx, (low, high) in enumerate(batches):
        low, high = low.to(DEV), high.to(DEV)

        with torch.autocast(DEV, dtype=torch.float16):
            fake = gen(low)
            d_real = disc(high)
            d_fake = disc(fake.detach())
            d_loss = 0.5 * (F.softplus(-d_real.float()).mean() + F.softplus(d_fake.float()).mean())
        opt_disc.zero_grad()
        scaler.scale(d_loss).backward()
        scaler.step(opt_disc)

        with torch.autocast(DEV, dtype=torch.float16):
            g_adv = F.softplus(-disc(fake).float()).mean()
            g_loss = g_adv + l1_lambda * F.l1_loss(fake.float(), high)
        opt_gen.zero_grad()
        g_loss.backward()
        scaler.step(opt_gen)
        scaler.update()

        if idx % 3 == 0:
            print(f"batch {idx} D {d_loss.item():.3f} G {g_loss.item():.3f}")


def main():
    hr = torch.rand(48, 1, 16, 16)
    lr = F.avg_pool2d(hr, 2)
    gen, disc = Gen().to(DEV), Disc().to(DEV)
    opt_gen = torch.optim.Adam(gen.parameters(), lr=1e-4, betas=(0.5, 0.999))
    opt_disc = torch.optim.Adam(disc.parameters(), lr=1e-4, betas=(0.5, 0.999))
    scaler = GradScaler(DEV, init_scale=4096.0)
    for epoch in range(2):
        train_fn(zip(lr.split(8), hr.split(8)), gen, disc, opt_gen, opt_disc, scaler)


if __name__ == "__main__":
    main()
