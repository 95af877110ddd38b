import torch
from torch import nn
from torch.nn.functional import binary_cross_entropy_with_logits as bce


class MiniGAN:
    def __init__(self, dim):
        self.dim = dim
        self.g = nn.Sequential(nn.Linear(dim, 20), nn.ReLU(), nn.Linear(20, 4), nn.Tanh())
        self.d = nn.Sequential(nn.Linear(4, 20), nn.LeakyReLU(0.1), nn.Linear(20, 1))
        self.og = torch.optim.Adam(self.g.parameters(), lr=2e-3)
        self.od = torch.optim.Adam(self.d.parameters(), lr=2e-3)

    def train_d(self, real):
        ones, zeros = torch.ones(len(real), 1), torch.zeros(len(real), 1)
        self.d.zero_grad()
        err_real = bce(self.d(real), ones)
        err_real.backward()
        fake = self.g(torch.randn(len(real), self.dim))
        err_fake = bce(self.d(fake.detach()), zeros)
        err_fake.backward()
        self.od.step()
        return fake, err_real.item() + err_fake.item()

    def train_g(self, fake):
        self.g.zero_grad()
        err = bce(self.d(fake), torch.ones(len(fake), 1))
        err.backward()
        self.og.step()
        return err.item()


torch.manual_seed(127)
gan = MiniGAN(3)
for it in range(50):
    fake, ld = gan.train_d(torch.rand(40, 4).sub(0.5).sign() * 0.8)
    lg = gan.train_g(fake)
print(ld, lg)
