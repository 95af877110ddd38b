import argparse

import torch
from torch import autograd, nn, optim
from torch.utils.data import DataLoader
from torchvision import datasets, transforms


class Generator(nn.Module):
    def __init__(self, nz=100, width=64):
        super().__init__()
        layers = []
        for i, (a, b) in enumerate([(nz, width * 4), (width * 4, width * 2), (width * 2, width)]):
            layers += [nn.ConvTranspose2d(a, b, 4, 1 if i == 0 else 2, 0 if i == 0 else 1), nn.BatchNorm2d(b), nn.ReLU()]
        self.net = nn.Sequential(*layers, nn.ConvTranspose2d(width, 1, 4, 2, 1), nn.Tanh())

    def forward(self, z):
        return self.net(z[:, :, None, None])


class Critic(nn.Module):
    def __init__(self, width=64):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(1, width, 4, 2, 1), nn.LeakyReLU(0.2), nn.Conv2d(width, width * 2, 4, 2, 1), nn.LeakyReLU(0.2),
            nn.Conv2d(width * 2, width * 4, 4, 2, 1), nn.LeakyReLU(0.2), nn.Conv2d(width * 4, 1, 4),
        )

    def forward(self, x):
        return self.net(x).flatten()


def penalty(critic, real, fake):
    eps = torch.rand(len(real), 1, 1, 1, device=real.device)
    mixed = (eps * real + (1 - eps) * fake).requires_grad_()
    (grad,) = autograd.grad(critic(mixed).sum(), mixed, create_graph=True)
    return ((grad.flatten(1).norm(dim=1) - 1) ** 2).mean()


parser = argparse.ArgumentParser()
parser.add_argument("--n_critic", type=int, default=5)
parser.add_argument("--epochs", type=int, default=60)
opt = parser.parse_args()
tf = transforms.Compose([transforms.Resize(32), transforms.ToTensor(), transforms.Normalize(0.5, 0.5)])
loader = DataLoader(datasets.FashionMNIST("data", transform=tf, download=True), 64, shuffle=True, drop_last=True)
gen, critic = Generator().cuda(), Critic().cuda()
optim_g = optim.Adam(gen.parameters(), lr=1e-4, betas=(0.0, 0.9))
optim_c = optim.Adam(critic.parameters(), lr=1e-4, betas=(0.0, 0.9))
for epoch in range(opt.epochs):
    for i, (real, _) in enumerate(loader):
        real = real.cuda()
        optim_c.zero_grad()
        fake = gen(torch.randn(len(real), 100, device=real.device))
        loss_c = critic(fake.detach()).mean() - critic(real).mean() + 10 * penalty(critic, real, fake.detach())
        loss_c.backward()
        optim_c.step()
        if i % opt.n_critic == 0:
            optim_g.zero_grad()
            loss_g = -critic(gen(torch.randn(len(real), 100, device=real.device))).mean()
            loss_g.backward()
            optim_g.step()
    print(f"{epoch} C {loss_c.item():.3f} G {loss_g.item():.3f}")
