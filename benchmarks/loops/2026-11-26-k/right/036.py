import torch
from torch import nn

torch.manual_seed(136)
BCE = nn.BCEWithLogitsLoss()
netG = nn.Sequential(nn.Linear(6, 24), nn.ReLU(), nn.Linear(24, 8))
netD = nn.Sequential(nn.Linear(8, 24), nn.LeakyReLU(0.2), nn.Linear(24, 1))
optimizerG = torch.optim.Adam(netG.parameters(), lr=1e-3)
optimizerD = torch.optim.Adam(netD.parameters(), lr=1e-3)
bank = torch.randn(200, 3) @ torch.randn(3, 8)

for i in range(45):
    real = bank[torch.randint(0, 200, (32,))]
    z = torch.randn(32, 6)

    optimizerG.zero_grad()
    fake = netG(z)
    errG = BCE(netD(fake), torch.ones(32, 1))
    errG.backward()
    optimizerD.zero_grad()
    optimizerG.step()

    out_real, out_fake = netD(real), netD(fake.detach())
    errD = BCE(out_real, torch.full_like(out_real, 0.9)) + BCE(out_fake, torch.zeros_like(out_fake))
    errD.backward()
    optimizerD.step()
    if i % 15 == 0:
        print(f"[{i}] D {errD.item():.3f} G {errG.item():.3f}")
