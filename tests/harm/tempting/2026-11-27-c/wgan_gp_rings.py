import math

import torch
from torch import nn
from torch.optim import Adam


def mlp(inp, out):
    return nn.Sequential(nn.Linear(inp, 24), nn.LeakyReLU(0.2), nn.Linear(24, out))


def ring(n):
    angle = torch.rand(n) * 2 * math.pi
    return torch.stack([angle.cos(), angle.sin()], 1) + 0.05 * torch.randn(n, 2)


def penalty(critic, real, fake):
    mix = torch.rand(len(real), 1)
    point = (mix * real + (1 - mix) * fake).requires_grad_(True)
    (slope,) = torch.autograd.grad(critic(point).sum(), point, create_graph=True)
    return (slope.norm(dim=1) - 1).pow(2).mean()


class Trainer:
    def __init__(self, n_critic=3):
        self.gen, self.critic = mlp(4, 2), mlp(2, 1)
        self.opt_g = Adam(self.gen.parameters(), lr=1e-3, betas=(0.0, 0.9))
        self.opt_c = Adam(self.critic.parameters(), lr=2e-3, betas=(0.0, 0.9))
        self.n_critic = n_critic

    @property
    def everything(self):
        return [*self.gen.parameters(), *self.critic.parameters()]

    def critic_turn(self, real):
        fake = self.gen(torch.randn(len(real), 4)).detach()
        loss = self.critic(fake).mean() - self.critic(real).mean()
        loss = loss + 10 * penalty(self.critic, real, fake)
        loss.backward()
        self.opt_c.step()

    def generator_turn(self, n):
        loss = -self.critic(self.gen(torch.randn(n, 4))).mean()
        loss.backward()
        self.opt_c.zero_grad()
        self.opt_g.step()
        return loss.item()

    def fit(self, epochs, record):
        for _ in range(epochs):
            for it in range(9):
                self.critic_turn(ring(32))
                record(self.everything)
                self.opt_c.zero_grad()
                if (it + 1) % self.n_critic == 0:
                    self.generator_turn(32)
                    record(self.everything)
                    self.opt_g.zero_grad()


def train(record):
    torch.manual_seed(11)
    Trainer().fit(2, record)


if __name__ == "__main__":
    train(lambda parameters: None)
