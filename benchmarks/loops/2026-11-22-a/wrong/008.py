import torch
import torchvision
from torch import nn, optim
from torch.utils.data import DataLoader
from torchvision import transforms

from nets import Critic, Generator

latent, n_critic, clamp = 128, 5, 0.01
device = "cuda:0"

tf = transforms.Compose([transforms.Resize(64), transforms.CenterCrop(64), transforms.ToTensor()])
loader = DataLoader(torchvision.datasets.CelebA("data", transform=tf), batch_size=64, shuffle=True, drop_last=True)
netG, netD = Generator(latent).to(device), Critic().to(device)
optG = optim.RMSprop(netG.parameters(), lr=5e-5)
optD = optim.RMSprop(netD.parameters(), lr=5e-5)

for epoch in range(50):
    for i, (real, _) in enumerate(loader):
        real = real.to(device)

        optD.zero_grad()
        noise = torch.randn(real.size(0), latent, 1, 1, device=device)
        fake = netG(noise).detach()
        lossD = netD(fake).mean() - netD(real).mean()
        lossD.backward()
        optD.step()
        for p in netD.parameters():
            p.data.clamp_(-clamp, clamp)

        if i % n_critic == 0:
            optG.zero_grad()
            noise = torch.randn(real.size(0), latent, 1, 1, device=device)
            lossG = -netD(netG(noise)).mean()
            lossG.backward()
            optG.step()
            nn.utils.clip_grad_value_(netG.parameters(), 1.0)
    print(f"{epoch}: D {lossD.item():.3f} G {lossG.item():.3f}")
    torch.save(netG.state_dict(), f"netG_{epoch}.pth")
