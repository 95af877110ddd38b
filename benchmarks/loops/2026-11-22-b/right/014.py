import torch
from torch import nn, optim
from torch.utils.data import DataLoader
from torchvision.utils import save_image

from celeb.data import Faces
from celeb.nets import Critic, Generator


def clamp_(params, bound):
    with torch.no_grad():
        for p in params:
            p.clamp_(-bound, bound)


class WGAN:
    def __init__(self, latent=100, lr=5e-5, bound=0.01, device="cuda"):
        self.latent, self.bound, self.device = latent, bound, device
        self.gen = Generator(latent).to(device)
        self.critic = Critic().to(device)
        self.opt_gen = optim.RMSprop(self.gen.parameters(), lr=lr)
        self.opt_critic = optim.RMSprop(self.critic.parameters(), lr=lr)
        self.fixed = torch.randn(64, latent, device=device)

    def z(self, n):
        return torch.randn(n, self.latent, device=self.device)

    def critic_update(self, real):
        fake = self.gen(self.z(real.size(0))).detach()
        loss = self.critic(fake).mean() - self.critic(real).mean()
        self.opt_critic.zero_grad()
        loss.backward()
        self.opt_critic.step()
        clamp_(self.critic.parameters(), self.bound)
        return -loss.item()

    def gen_update(self, n):
        for p in self.critic.parameters():
            p.requires_grad_(False)
        loss = -self.critic(self.gen(self.z(n))).mean()
        self.opt_gen.zero_grad()
        loss.backward()
        self.opt_gen.step()
        for p in self.critic.parameters():
            p.requires_grad_(True)
        return loss.item()

    def train(self, root, epochs, n_critic=5):
        loader = DataLoader(Faces(root), 64, shuffle=True, num_workers=4, drop_last=True)
        done = 0
        for epoch in range(epochs):
            for real in loader:
                distance = self.critic_update(real.to(self.device))
                done += 1
                if done % n_critic == 0:
                    self.gen_update(real.size(0))
            print(f"{epoch} W {distance:.4f}")
            with torch.no_grad():
                save_image(self.gen(self.fixed), f"samples/{epoch:03d}.png", normalize=True)
