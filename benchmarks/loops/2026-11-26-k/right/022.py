import torch
from torch import nn

torch.manual_seed(122)
gen = nn.Sequential(nn.Linear(5, 24), nn.ReLU(), nn.Linear(24, 3))
disc = nn.Sequential(nn.Linear(3, 24), nn.LeakyReLU(0.2), nn.Linear(24, 1))
opt_g = torch.optim.Adam(gen.parameters(), lr=1e-3)
opt_d = torch.optim.Adam(disc.parameters(), lr=1e-3)
scaler = torch.amp.GradScaler("cpu", init_scale=512.0)
hinge = nn.functional.relu

for it in range(50):
    real = torch.randn(32, 3) * 0.5 + 1.0
    with torch.autocast("cpu", dtype=torch.float16):
        fake = gen(torch.randn(32, 5))
        d_loss = hinge(1 - disc(real)).mean() + hinge(1 + disc(fake.detach())).mean()
    opt_d.zero_grad()
    scaler.scale(d_loss).backward()
    scaler.unscale_(opt_d)
    nn.utils.clip_grad_norm_(disc.parameters(), 1.0)
    scaler.step(opt_d)

    with torch.autocast("cpu", dtype=torch.float16):
        g_loss = -disc(gen(torch.randn(32, 5))).mean()
    opt_g.zero_grad()
    scaler.scale(g_loss).backward()
    scaler.unscale_(opt_g)
    nn.utils.clip_grad_norm_(gen.parameters(), 1.0)
    scaler.step(opt_g)
    scaler.update()
    if it % 25 == 0:
        print(it, d_loss.item(), g_loss.item())
