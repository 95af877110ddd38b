import torch
from torch import nn

T = 50
betas = torch.linspace(1e-4, 0.02, T)
alpha_bar = torch.cumprod(1 - betas, 0)


class Denoiser(nn.Module):
    def __init__(self, dim=2, hidden=32):
        super().__init__()
        self.time = nn.Embedding(T, hidden)
        self.inp = nn.Linear(dim, hidden)
        self.out = nn.Sequential(nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU(), nn.Linear(hidden, dim))

    def forward(self, x, t):
        return self.out(self.inp(x) + self.time(t))


def moons(n):
    a = torch.rand(n) * 3.1416
    return torch.stack([a.cos(), a.sin()], 1) + 0.05 * torch.randn(n, 2)


net = Denoiser()
opt = torch.optim.AdamW(net.parameters(), lr=1e-3, weight_decay=0.0)
for step in range(100):
    x0 = moons(64)
    t = torch.randint(0, T, (64,))
    noise = torch.randn_like(x0)
    ab = alpha_bar[t].unsqueeze(1)
    xt = ab.sqrt() * x0 + (1 - ab).sqrt() * noise
    opt.zero_grad(set_to_none=True)
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    loss = (net(xt, t) - noise).square().mean()
    loss.backward()
    opt.step()
    if (step + 1) % 50 == 0:
        print(f"{step + 1}/100 mse={loss.item():.4f}")
