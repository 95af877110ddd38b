import torch
import torch.nn.functional as F
from torch.cuda.amp import GradScaler, autocast

from gan.nets import Discriminator, Generator
from gan.data import faces

NOISE = 100
G, D = Generator(NOISE).cuda(), Discriminator().cuda()
opt_g = torch.optim.Adam(G.parameters(), lr=2e-4, betas=(0.5, 0.999))
opt_d = torch.optim.Adam(D.parameters(), lr=2e-4, betas=(0.5, 0.999))
scaler_g, scaler_d = GradScaler(), GradScaler()

for epoch in range(25):
    for real in faces(batch_size=128):
        real = real.cuda()
        z = torch.randn(real.size(0), NOISE, device="cuda")
        opt_d.zero_grad()
        with autocast():
            fake = G(z)
            score_real, score_fake = D(real), D(fake.detach())
            loss_d = F.softplus(-score_real).mean() + F.softplus(score_fake).mean()
            scaler_d.scale(loss_d).backward()
            scaler_d.step(opt_d)
            scaler_d.update()

            opt_g.zero_grad()
            loss_g = F.softplus(-D(fake)).mean()
            scaler_g.scale(loss_g).backward()
            scaler_g.step(opt_g)
            scaler_g.update()
    print(f"epoch {epoch}: D {loss_d.item():.3f} G {loss_g.item():.3f}")
