import torch
import torch.nn.functional as F
from gan import Discriminator, Generator, images
from torch import nn

G, D = Generator().cuda(), Discriminator().cuda()
opt_g = torch.optim.Adam(G.parameters(), 1e-4, betas=(0.5, 0.9))
opt_d = torch.optim.Adam(D.parameters(), 4e-4, betas=(0.5, 0.9))
scaler = torch.amp.GradScaler("cuda")

for n, real in enumerate(images("churches")):
    real = real.cuda()
    with torch.autocast("cuda", dtype=torch.float16):
        fake = G(torch.randn(len(real), 8).cuda())
        d_loss = F.softplus(D(fake.detach())).mean() + F.softplus(-D(real)).mean()
    opt_d.zero_grad()
    scaler.scale(d_loss).backward()
    scaler.unscale_(opt_d)
    nn.utils.clip_grad_norm_(D.parameters(), 1.0)
    scaler.step(opt_d)

    with torch.autocast("cuda", dtype=torch.float16):
        g_loss = F.softplus(-D(fake)).mean()
    opt_g.zero_grad()
    scaler.scale(g_loss).backward()
    scaler.unscale_(opt_g)
    nn.utils.clip_grad_norm_(G.parameters(), 1.0)
    scaler.step(opt_g)
    scaler.update()
    if n % 100 == 0:
        print(n, d_loss.item(), g_loss.item(), scaler.get_scale())
