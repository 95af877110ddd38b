import torch
import torch.nn.functional as F
from torch import nn


def net(i, o, act):
    return nn.Sequential(nn.Linear(i, 24), act, nn.Linear(24, o))


class Adversarial:
    def __init__(self, latent=4, dim=3, g_accum=2):
        self.latent, self.g_accum = latent, g_accum
        self.g, self.d = net(latent, dim, nn.ReLU()), net(dim, 1, nn.LeakyReLU(0.2))
        self.og = torch.optim.Adam(self.g.parameters(), lr=1e-3, betas=(0.5, 0.9))
        self.od = torch.optim.Adam(self.d.parameters(), lr=1e-3, betas=(0.5, 0.9))
        self.turns = 0

    def generate(self, n):
        return self.g(torch.randn(n, self.latent))

    def train_d(self, real):
        with torch.no_grad():
            fake = self.generate(len(real))
        self.od.zero_grad()
        loss = F.relu(1 - self.d(real)).mean() + F.relu(1 + self.d(fake)).mean()
        loss.backward()
        self.od.step()
        return loss.item()

    def train_g(self, n):
        loss = -self.d(self.generate(n)).mean()
        (loss / self.g_accum).backward()
        self.turns += 1
        if self.turns % self.g_accum == 0:
            self.og.step()
            self.og.zero_grad()
        return loss.item()


torch.manual_seed(0)
gan = Adversarial()
for it, real in enumerate(torch.randn(24, 16, 3).add(1.5)):
    d, g = gan.train_d(real), gan.train_g(16)
    if it % 6 == 5:
        print(f"{it + 1}: D {d:.3f} G {g:.3f}")
