import torch
from torch import nn
from torch.amp import autocast, GradScaler

device = "cuda" if torch.cuda.is_available() else "cpu"
ACCUM = 4


class Denoiser(nn.Module):
    def __init__(self, d=2, t_dim=8):
        super().__init__()
        self.t = nn.Embedding(50, t_dim)
        self.net = nn.Sequential(nn.Linear(d + t_dim, 48), nn.SiLU(), nn.Linear(48, 48), nn.SiLU(), nn.Linear(48, d))

    def forward(self, x, t):
        return self.net(torch.cat([x, self.t(t)], -1))


betas = torch.linspace(1e-4, 0.05, 50)
alpha_bar = torch.cumprod(1 - betas, 0).to(device)


def two_moons(n):
    th = torch.rand(n) * 3.1416
    up = torch.rand(n) < 0.5
    x = torch.stack([torch.where(up, th.cos(), 1 - th.cos()), torch.where(up, th.sin(), 0.5 - th.sin())], 1)
    return x.to(device)


def main(n_updates=12):
    torch.manual_seed(0)
    model = Denoiser().to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    scaler = GradScaler(device, init_scale=2.0 ** 12)
    model.train()
    for update in range(n_updates):
        optimizer.zero_grad(set_to_none=True)
        for _ in range(ACCUM):
            x0 = two_moons(32)
            t = torch.randint(0, 50, (32,), device=device)
            eps = torch.randn_like(x0)
            a = alpha_bar[t][:, None]
            with autocast(device, dtype=torch.float16):
                pred = model(a.sqrt() * x0 + (1 - a).sqrt() * eps, t)
                loss = (pred - eps).pow(2).mean() / ACCUM
            scaler.scale(loss).backward()
        optimizer.step()
        if update % 4 == 0:
            print(update, loss.item() * ACCUM)


if __name__ == "__main__":
    main()
