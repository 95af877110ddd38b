import torch
import torch.nn as nn
import torch.optim as optim

torch.manual_seed(0)
nz, batch = 5, 48


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.main = nn.Sequential(nn.Linear(nz, 32), nn.BatchNorm1d(32), nn.ReLU(True), nn.Linear(32, 2))

    def forward(self, z):
        return self.main(z)


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.main = nn.Sequential(nn.Linear(2, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1))

    def forward(self, x):
        return self.main(x).view(-1)


netG, netD = Generator(), Discriminator()
criterion = nn.BCEWithLogitsLoss()
optimizerD = optim.Adam(netD.parameters(), lr=5e-4, betas=(0.5, 0.999))
optimizerG = optim.Adam(netG.parameters(), lr=5e-4, betas=(0.5, 0.999))
fixed_noise = torch.randn(16, nz)

for i in range(50):
    # (1) maximise log(D(x)) + log(1 - D(G(z))): both backwards go into one step
    netD.zero_grad()
    real = torch.randn(batch, 2) * torch.tensor([1.0, 0.2])
    label = torch.ones(batch)
    errD_real = criterion(netD(real), label)
    errD_real.backward()

    noise = torch.randn(batch, nz)
    fake = netG(noise)
    label.fill_(0.0)
    errD_fake = criterion(netD(fake.detach()), label)
    errD_fake.backward()
    errD = errD_real.item() + errD_fake.item()
    optimizerD.step()

    # (2) maximise log(D(G(z)))
    netG.zero_grad()
    label.fill_(1.0)
    errG = criterion(netD(fake), label)
    errG.backward()
    optimizerG.step()

    if i % 10 == 0:
        print(f"[{i}/50] Loss_D: {errD:.4f} Loss_G: {errG.item():.4f}")

netG.eval()
with torch.no_grad():
    print(netG(fixed_noise).std(0))
