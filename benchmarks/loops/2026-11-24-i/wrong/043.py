import torch
from torch import nn

torch.manual_seed(157)
dev = "cuda" if torch.cuda.is_available() else "cpu"
gen, disc = nn.Linear(3, 5).to(dev), nn.Linear(5, 1).to(dev)
g_opt, d_opt = torch.optim.Adam(gen.parameters()), torch.optim.Adam(disc.parameters())
scaler = torch.amp.GradScaler(dev)
for i in range(12):
    real = torch.rand(9, 5, device=dev)
    with torch.autocast(dev, dtype=torch.float16, enabled=dev == "cuda"):
        fake = gen(torch.randn(9, 3, device=dev))
        d_loss = nn.functional.softplus(-disc(real)).mean() + nn.functional.softplus(disc(fake.detach())).mean()
    d_opt.zero_grad()
    scaler.scale(d_loss).backward()
    scaler.unscale_(d_opt)
    nn.utils.clip_grad_norm_(disc.parameters(), 1.0)
    scaler.step(d_opt)

    with torch.autocast(dev, dtype=torch.float16, enabled=dev == "cuda"):
        g_loss = nn.functional.softplus(-disc(fake)).mean()
    g_opt.zero_grad()
    scaler.scale(g_loss).backward()
    nn.utils.clip_grad_norm_(gen.parameters(), 1.0)
    scaler.step(g_opt)
    scaler.update()
print(d_loss.item(), g_loss.item())
