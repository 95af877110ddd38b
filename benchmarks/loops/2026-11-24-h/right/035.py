import torch
import torch.nn as nn
from torch.utils.data import DataLoader


class WGANGP:
    def __init__(self, z=4, n_critic=3, lam=10.0):
        self.z, self.n_critic, self.lam = z, n_critic, lam
        self.g = nn.Sequential(nn.Linear(z, 24), nn.ReLU(), nn.Linear(24, 2))
        self.d = nn.Sequential(nn.Linear(2, 24), nn.ReLU(), nn.Linear(24, 1))
        self.og = torch.optim.Adam(self.g.parameters(), 1e-3, (0.0, 0.9))
        self.od = torch.optim.Adam(self.d.parameters(), 1e-3, (0.0, 0.9))

    def penalty(self, real, fake):
        mix = torch.rand(len(real), 1)
        x = (mix * real + (1 - mix) * fake).requires_grad_(True)
        (grad,) = torch.autograd.grad(self.d(x).sum(), x, create_graph=True)
        return ((grad.norm(dim=1) - 1) ** 2).mean()

    def fake(self, n):
        return self.g(torch.randn(n, self.z))

    def critic_pass(self, real):
        fake = self.fake(len(real)).detach()
        loss = self.d(fake).mean() - self.d(real).mean() + self.lam * self.penalty(real, fake)
        self.od.zero_grad()
        loss.backward()
        self.od.step()
        return loss.item()

    def generator_pass(self, n):
        self.og.zero_grad()
        loss = -self.d(self.fake(n)).mean()
        loss.backward()
        self.og.step()

    def train(self, loader, epochs):
        for e in range(epochs):
            c = 0.0
            for i, real in enumerate(loader):
                c += self.critic_pass(real)
                if i % self.n_critic == 0:
                    self.generator_pass(len(real))
            print(f"epoch {e}: critic {c / len(loader):.4f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    pts = torch.randn(320, 2) @ torch.tensor([[1.0, 0.6], [0.0, 0.4]]) + 2
    WGANGP().train(DataLoader(pts, batch_size=32, shuffle=True), epochs=4)
