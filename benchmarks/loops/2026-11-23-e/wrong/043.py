import torch
from torch import nn

AMP = torch.cuda.is_available()
dev = "cuda" if AMP else "cpu"
torch.manual_seed(0)


def mlp(i, o, h=32):
    return nn.Sequential(nn.Linear(i, h), nn.LeakyReLU(0.2), nn.Linear(h, h), nn.LeakyReLU(0.2), nn.Linear(h, o))


G = mlp(8, 2).to(dev)
D = mlp(2, 1).to(dev)
g_opt = torch.optim.Adam(G.parameters(), 2e-4, (0.5, 0.9))
d_opt = torch.optim.Adam(D.parameters(), 2e-4, (0.5, 0.9))
scaler = torch.amp.GradScaler(dev, enabled=AMP)


def ring(n):
    a = torch.rand(n, 1) * 6.2832
    return torch.cat([a.cos(), a.sin()], 1).to(dev)


def hinge_d(real, fake):
    return torch.relu(1 - real).mean() + torch.relu(1 + fake).mean()


for epoch in range(3):
    for it in range(10):
        z = torch.randn(32, 8, device=dev)
        with torch.autocast(dev, dtype=torch.float16, enabled=AMP):
            fake = G(z)
            d_loss = hinge_d(D(ring(32)), D(fake.detach()))
        d_opt.zero_grad(set_to_none=True)
        scaler.scale(d_loss).backward()
        scaler.step(d_opt)

        with torch.autocast(dev, dtype=torch.float16, enabled=AMP):
            g_loss = -D(fake).mean()
        g_opt.zero_grad(set_to_none=True)
        scaler.scale(g_loss).backward()
        scaler.step(g_opt)
    scaler.update()
    print(f"epoch {epoch}: D {d_loss.item():.3f}  G {g_loss.item():.3f}")
