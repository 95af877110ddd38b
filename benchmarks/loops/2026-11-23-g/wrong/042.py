import torch
from torch import nn

bce = nn.BCEWithLogitsLoss()


class CGAN:
    def __init__(self, z=4, x=3, classes=2, clip=0.5):
        self.z, self.classes, self.clip = z, classes, clip
        self.G = nn.Sequential(nn.Linear(z + classes, 16), nn.ReLU(), nn.Linear(16, x))
        self.D = nn.Sequential(nn.Linear(x + classes, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
        self.optG = torch.optim.Adam(self.G.parameters(), lr=2e-4, betas=(0.5, 0.999))
        self.optD = torch.optim.Adam(self.D.parameters(), lr=2e-4, betas=(0.5, 0.999))

    def onehot(self, y):
        return nn.functional.one_hot(y, self.classes).float()

    def fake(self, y):
        return self.G(torch.cat([torch.randn(len(y), self.z), self.onehot(y)], 1))

    def judge(self, x, y):
        return self.D(torch.cat([x, self.onehot(y)], 1))

    def step_d(self, real, y):
        self.optD.zero_grad()
        d_real = self.judge(real, y)
        d_fake = self.judge(self.fake(y).detach(), y)
        loss = bce(d_real, torch.ones_like(d_real)) + bce(d_fake, torch.zeros_like(d_fake))
        loss.backward()
        self.optD.step()
        nn.utils.clip_grad_norm_(self.D.parameters(), self.clip)
        return loss.item()

    def step_g(self, y):
        self.optG.zero_grad()
        d_fake = self.judge(self.fake(y), y)
        loss = bce(d_fake, torch.ones_like(d_fake))
        loss.backward()
        nn.utils.clip_grad_norm_(self.G.parameters(), self.clip)
        self.optG.step()
        return loss.item()


torch.manual_seed(0)
gan = CGAN()
for it in range(20):
    labels = torch.randint(0, 2, (16,))
    samples = torch.randn(16, 3) + labels[:, None] * 2.0
    d, g = gan.step_d(samples, labels), gan.step_g(labels)
print(d, g)
