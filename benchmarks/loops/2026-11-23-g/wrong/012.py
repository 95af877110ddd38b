"""DCGAN-flavoured toy: generate 8x8 checker patches."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader

torch.manual_seed(999)
nz, batch_size, num_epochs, lr, beta1 = 6, 16, 2, 2e-3, 0.5
real_label, fake_label = 1.0, 0.0


def weights_init(m):
    if isinstance(m, nn.Linear):
        nn.init.normal_(m.weight, 0.0, 0.05)


netG = nn.Sequential(nn.Linear(nz, 32), nn.ReLU(True), nn.Linear(32, 64), nn.Tanh())
netD = nn.Sequential(nn.Linear(64, 32), nn.LeakyReLU(0.2, inplace=True), nn.Linear(32, 1))
netG.apply(weights_init)
netD.apply(weights_init)

base = ((torch.arange(8)[:, None] + torch.arange(8)) % 2).float().mul(2).sub(1).flatten()
dataset = [base + 0.05 * torch.randn(64) for _ in range(80)]
dataloader = DataLoader(dataset, batch_size=batch_size, shuffle=True)

criterion = nn.BCEWithLogitsLoss()
fixed_noise = torch.randn(16, nz)
optimizerD = torch.optim.Adam(netD.parameters(), lr=lr, betas=(beta1, 0.999))
optimizerG = torch.optim.Adam(netG.parameters(), lr=lr, betas=(beta1, 0.999))

G_losses, D_losses = [], []
for epoch in range(num_epochs):
    for i, real in enumerate(dataloader):
        # (1) update D: maximise log(D(x)) + log(1 - D(G(z)))
        netD.zero_grad()
        label = torch.full((real.size(0), 1), real_label)
        errD_real = criterion(netD(real), label)
        errD_real.backward()

        noise = torch.randn(real.size(0), nz)
        fake = netG(noise)
        label.fill_(fake_label)
        errD_fake = criterion(netD(fake.detach()), label)
        errD_fake.backward()
        errD = errD_real + errD_fake
        optimizerD.step()

        # (2) update G: maximise log(D(G(z)))
        label.fill_(real_label)
        errG = criterion(netD(fake), label)
        errG.backward()
        optimizerG.step()

        D_losses.append(errD.item())
        G_losses.append(errG.item())
    print("[%d/%d] Loss_D: %.4f Loss_G: %.4f" % (epoch, num_epochs, D_losses[-1], G_losses[-1]))

with torch.no_grad():
    sample = netG(fixed_noise)
print("match", round((sample.sign() == base.sign()).float().mean().item(), 3))
