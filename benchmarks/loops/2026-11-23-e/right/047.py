"""Super-resolution GAN: the generator runs in float16, the small discriminator in float32."""
import torch
import torch.nn.functional as F
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"


class SR(nn.Module):
    def __init__(self, c=8):
        super().__init__()
        self.body = nn.Sequential(nn.Conv1d(1, c, 3, padding=1), nn.PReLU(), nn.Conv1d(c, 2, 3, padding=1))

    def forward(self, x):
        y = self.body(x)
        return y.transpose(1, 2).reshape(x.size(0), 1, -1)


class Judge(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Conv1d(1, 8, 4, 2, 1), nn.LeakyReLU(0.2), nn.Flatten(), nn.Linear(64, 1))

    def forward(self, x):
        return self.net(x)


def pairs(n=16):
    t = torch.linspace(0, 1, 16)
    hi = torch.sin(6.28 * (t * (1 + 2 * torch.rand(n, 1, 1)) + torch.rand(n, 1, 1)))
    return hi[..., ::2].to(device), hi.to(device)


def main(iters=30):
    torch.manual_seed(0)
    gen, disc = SR().to(device), Judge().to(device)
    gen_opt = torch.optim.Adam(gen.parameters(), lr=2e-3)
    disc_opt = torch.optim.Adam(disc.parameters(), lr=1e-3)
    scaler = torch.amp.GradScaler(device, init_scale=512.0)

    for it in range(iters):
        lo, hi = pairs()
        with torch.autocast(device, dtype=torch.float16):
            fake = gen(lo)
        fake = fake.float()

        disc_loss = F.softplus(-disc(hi)).mean() + F.softplus(disc(fake.detach())).mean()
        disc_opt.zero_grad()
        disc_loss.backward()
        disc_opt.step()

        disc.requires_grad_(False)
        gen_loss = F.l1_loss(fake, hi) + 0.01 * F.softplus(-disc(fake)).mean()
        gen_opt.zero_grad()
        scaler.scale(gen_loss).backward()
        scaler.step(gen_opt)
        scaler.update()
        disc.requires_grad_(True)

        if it % 10 == 0:
            print(f"{it:2d} D {disc_loss.item():.3f} G {gen_loss.item():.3f}")


if __name__ == "__main__":
    main()
