# DCGAN on tiny squares
import torch
import torch.nn as nn
from torch.utils.data import DataLoader

manualSeed = 999
torch.manual_seed(manualSeed)
nz, ngf, ndf, num_epochs = 8, 8, 8, 3


class Squares(torch.utils.data.Dataset):
    def __len__(self):
        return 64

    def __getitem__(self, i):
        img = -torch.ones(1, 8, 8)
        r, c = i % 5, (i // 5) % 5
        img[:, r:r + 3, c:c + 3] = 1
        return img


netG = nn.Sequential(
    nn.ConvTranspose2d(nz, ngf * 2, 4, 1, 0, bias=False), nn.BatchNorm2d(ngf * 2), nn.ReLU(True),
    nn.ConvTranspose2d(ngf * 2, 1, 4, 2, 1, bias=False), nn.Tanh(),
)
netD = nn.Sequential(
    nn.Conv2d(1, ndf, 4, 2, 1, bias=False), nn.LeakyReLU(0.2, inplace=True),
    nn.Conv2d(ndf, 1, 4, 1, 0, bias=False), nn.Flatten(0),
)
criterion = nn.BCEWithLogitsLoss()
optimizerD = torch.optim.Adam(netD.parameters(), lr=2e-4, betas=(0.5, 0.999))
optimizerG = torch.optim.Adam(netG.parameters(), lr=2e-4, betas=(0.5, 0.999))
fixed_noise = torch.randn(16, nz, 1, 1)

G_losses, D_losses, img_list = [], [], []
for epoch in range(num_epochs):
    for i, real in enumerate(DataLoader(Squares(), 16, shuffle=True)):
        b = real.size(0)
        # (1) discriminator
        netD.zero_grad()
        errD_real = criterion(netD(real), torch.ones(b))
        errD_real.backward()
        fake = netG(torch.randn(b, nz, 1, 1))
        errD_fake = criterion(netD(fake.detach()), torch.zeros(b))
        errD_fake.backward()
        errD = errD_real + errD_fake
        optimizerD.step()

        # (2) generator
        netG.zero_grad()
        errG = criterion(netD(fake), torch.ones(b))
        errG.backward()
        optimizerG.step()

        G_losses.append(errG)
        D_losses.append(errD)
    with torch.no_grad():
        img_list.append(netG(fixed_noise))
    print(f"[{epoch}/{num_epochs}] Loss_D: {errD.item():.4f} Loss_G: {errG.item():.4f}")

print("mean G loss", float(sum(G_losses)) / len(G_losses), "mean D loss", float(sum(D_losses)) / len(D_losses))
