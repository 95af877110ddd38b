import torch
import torch.nn as nn

torch.manual_seed(0)
Z = 4
G = nn.Sequential(nn.Linear(Z, 16), nn.LeakyReLU(0.2), nn.Linear(16, 2))
D = nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
opt_g = torch.optim.Adam(G.parameters(), lr=2e-4, betas=(0.5, 0.999))
opt_d = torch.optim.SGD(D.parameters(), lr=0.02)
scaler = torch.amp.GradScaler("cpu", init_scale=8192.0)
bce = nn.BCEWithLogitsLoss()


def real_samples(n):
    angle = torch.rand(n) * 6.2832
    return torch.stack([angle.cos(), angle.sin()], dim=1)


for it in range(12):
    real = real_samples(32)
    fake = G(torch.randn(32, Z))

    opt_d.zero_grad()
    d_real, d_fake = D(real), D(fake.detach())
    d_loss = bce(d_real, torch.ones_like(d_real)) + bce(d_fake, torch.zeros_like(d_fake))
    scaler.scale(d_loss).backward()
    nn.utils.clip_grad_norm_(D.parameters(), 1.0)
    scaler.step(opt_d)

    opt_g.zero_grad()
    score = D(fake)
    g_loss = bce(score, torch.ones_like(score))
    scaler.scale(g_loss).backward()
    scaler.unscale_(opt_g)
    nn.utils.clip_grad_norm_(G.parameters(), 1.0)
    scaler.step(opt_g)
    scaler.update()
    if it % 4 == 3:
        print(it, d_loss.item(), g_loss.item())
