import torch
import torch.nn as nn
import torch.nn.functional as F


class GAN:
    def __init__(self, noise=5):
        self.noise = noise
        self.g = nn.Sequential(nn.Linear(noise, 20), nn.ReLU(), nn.Linear(20, 3))
        self.d = nn.Sequential(nn.Linear(3, 20), nn.ReLU(), nn.Linear(20, 1))
        self.opt_g = torch.optim.Adam(self.g.parameters(), lr=1e-3)
        self.opt_d = torch.optim.Adam(self.d.parameters(), lr=1e-3)

    def reset(self):
        self.g.zero_grad()
        self.d.zero_grad()

    def discriminator(self, real):
        self.reset()
        fake = self.g(torch.randn(len(real), self.noise)).detach()
        loss = F.softplus(-self.d(real)).mean() + F.softplus(self.d(fake)).mean()
        loss.backward()
        self.opt_d.step()
        return loss.item()

    def generator(self, n):
        loss = F.softplus(-self.d(self.g(torch.randn(n, self.noise)))).mean()
        loss.backward()
        self.reset()
        self.opt_g.step()
        return loss.item()


gan = GAN()
for i in range(30):
    d = gan.discriminator(torch.randn(16, 3) + 2)
    g = gan.generator(16)
    if i % 10 == 0:
        print(f"{i}: d {d:.3f} g {g:.3f}")
