import torch
from torch import nn


class ToyGAN:
    def __init__(self, z_dim=4):
        self.z_dim = z_dim
        self.g = nn.Sequential(nn.Linear(z_dim, 20), nn.ReLU(), nn.Linear(20, 3))
        self.d = nn.Sequential(nn.Linear(3, 20), nn.LeakyReLU(0.2), nn.Linear(20, 1))
        self.g_opt = torch.optim.Adam(self.g.parameters(), lr=1e-3, betas=(0.0, 0.9))
        self.d_opt = torch.optim.Adam(self.d.parameters(), lr=1e-3, betas=(0.0, 0.9))

    def step(self, real):
        fake = self.g(torch.randn(len(real), self.z_dim))
        g_loss = nn.functional.softplus(-self.d(fake)).mean()
        self.g_opt.zero_grad()
        g_loss.backward()

        self.d_opt.zero_grad()
        d_loss = nn.functional.softplus(self.d(fake.detach())).mean() + nn.functional.softplus(-self.d(real)).mean()
        d_loss.backward()
        nn.utils.clip_grad_norm_(self.d.parameters(), 1.0)
        self.d_opt.step()

        nn.utils.clip_grad_norm_(self.g.parameters(), 1.0)
        self.g_opt.step()
        return d_loss.item(), g_loss.item()


torch.manual_seed(111)
gan = ToyGAN()
for i in range(12):
    d, g = gan.step(torch.randn(16, 3) + 2.0)
    if i % 4 == 0:
        print(f"{i}: d {d:.3f} g {g:.3f}")
