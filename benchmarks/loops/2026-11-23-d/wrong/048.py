import torch
import torch.nn.functional as F
from gan import Discriminator, Generator, images
from torch.cuda.amp import GradScaler, autocast

G, D = Generator().cuda(), Discriminator().cuda()
opt_G = torch.optim.Adam(G.parameters(), lr=2e-4, betas=(0.0, 0.9))
opt_D = torch.optim.Adam(D.parameters(), lr=2e-4, betas=(0.0, 0.9))
scaler = GradScaler()

for i, real in enumerate(images("faces", size=64)):
    z = torch.randn(real.size(0), 8).cuda()
    with autocast():
        fake = G(z)
        d_loss = F.relu(1 - D(real.cuda())).mean() + F.relu(1 + D(fake.detach())).mean()
    opt_D.zero_grad()
    scaler.scale(d_loss).backward()
    scaler.step(opt_D)

    with autocast():
        g_loss = -D(fake).mean()
    opt_G.zero_grad()
    g_loss.backward()
    scaler.step(opt_G)
    scaler.update()
    if i % 50 == 0:
        print(i, d_loss.item(), g_loss.item())
